import source from 'man/svc-findings.7';
import { useEffect, useMemo } from 'preact/hooks';
import { keysOf } from '../base/limits.ts';
import { GLOSSARY } from './model/glossary.ts';
import { type ManualEntry, readManual } from './model/manual.ts';

/** Explains the terms of the page and the codes of findings. The fragment of an address goes to a code. */
export function HelpPage() {
  const sections = useMemo(() => readManual(source), []);
  useEffect(() => {
    document.title = 'Terms and findings · DNS traversal';
    const place = document.getElementById(location.hash.slice(1));
    place?.scrollIntoView();
    place?.focus();
  }, []);
  return (
    <div class="help">
      <h1>Terms and findings</h1>
      <section aria-labelledby="terms">
        <h2 id="terms">Terms</h2>
        <dl>
          {keysOf(GLOSSARY).map((term) => (
            <div key={term} class="fact">
              <dt>{term}</dt>
              <dd>{GLOSSARY[term]}</dd>
            </div>
          ))}
        </dl>
      </section>
      {sections.map(({ title, entries }) => (
        <section key={title} aria-labelledby={idOf(title)}>
          <h2 id={idOf(title)}>Findings: {title}</h2>
          {entries.map((entry) => (
            <Entry key={entry.code} entry={entry} />
          ))}
        </section>
      ))}
    </div>
  );
}

function idOf(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-');
}

function Entry({ entry }: { readonly entry: ManualEntry }) {
  const { code, severity, reference, paragraphs, evidence, remedy } = entry;
  return (
    <article class="help-entry">
      <h3 id={code} tabIndex={-1}>
        <code>{code}</code>
      </h3>
      <p class="muted">
        {severity}
        {reference !== undefined && `, ${reference}`}
      </p>
      {paragraphs.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {evidence !== '' && <p>Evidence: {evidence}</p>}
      {remedy !== '' && <p>To do: {remedy}</p>}
    </article>
  );
}
