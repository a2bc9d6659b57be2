import { PAGE_FACTS, type PageFacts } from '../../document/api/page-facts.ts';
import { readShape } from '../../shape/shape.ts';

let read: PageFacts | undefined;

/** The facts that the service writes into the page's head. */
export function serviceFacts(): PageFacts {
  read ??= readShape(PAGE_FACTS, JSON.parse(factsInHead()));
  return read;
}

function factsInHead(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="service"]');
  if (meta === null) throw new Error('the head of the page has no facts about the service');
  return meta.content;
}
