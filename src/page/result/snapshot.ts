/**
 * What a document shows, as one file that needs neither a service nor scripts, and loads nothing. It looks as on paper, where
 * all that can be switched and asked is left out.
 */
export function snapshotOf(shown: Document): string {
  const rules = [...shown.styleSheets].flatMap(({ cssRules }) => [...cssRules]).map(({ cssText }) => cssText);
  const copy = shown.implementation.createHTMLDocument();
  copy.documentElement.replaceWith(copy.importNode(shown.documentElement, true));
  for (const loading of copy.querySelectorAll('script, link, noscript, meta[name="service"]'))
    loading.remove();
  // Links lead to the service, and buttons need scripts.
  for (const control of copy.querySelectorAll('a, button')) {
    const text = copy.createElement('span');
    text.className = control.className;
    text.append(...control.childNodes);
    control.replaceWith(text);
  }
  // As elements, the policy of the page itself would forbid them.
  const head = `${copy.head.innerHTML}${POLICY}<style>${rules.join('\n').replaceAll('@media print', '@media all')}</style>`;
  return `<!doctype html>\n<html lang="en"><head>${head}</head>${copy.body.outerHTML}</html>\n`;
}

const POLICY = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`;
