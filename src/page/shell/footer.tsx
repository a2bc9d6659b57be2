export function Footer() {
  return (
    <footer class="footer">
      <p>
        The same from a terminal: <code>svc traverse NAME</code>. For programs:{' '}
        <a href="/api/openapi.json">the interface of this service</a>.
      </p>
    </footer>
  );
}
