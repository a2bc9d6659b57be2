/** The whole page. */
export function App() {
  return (
    <main>
      <h1>DNS traversal</h1>
    </main>
  );
}
