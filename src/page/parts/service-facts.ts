import { PAGE_FACTS, type PageFacts } from '../../document/api/page-facts.ts';
import { readShape } from '../../shape/shape.ts';

let read: PageFacts | undefined;

/** The facts that the service writes into the page's head. */
export function serviceFacts(): PageFacts {
  read ??= readShape(PAGE_FACTS, JSON.parse(told()));
  return read;
}

function told(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="service"]');
  if (meta === null) throw new Error('the page was not told what service it is of');
  return meta.content;
}
