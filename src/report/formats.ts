/*
 * The room `report` says what a result comes to, in every format that somebody can ask for.
 *
 * `result-document.ts` makes the result document of a recording and its evaluation. `views/` answers what all formats ask
 * of a document: which users get what, the verdict, what a server did, where paths go wrong, what changed since an
 * earlier result. `views/faults.ts` has what is wrong and what to do in short, `views/advice.ts` in full, and
 * `views/meanings.ts` what ends mean. `plain-text.ts` is the text without flags. From these answers the files
 * here and in `text/` make rows and lines, and `graph/` makes the boxes and arrows that `dot.ts` and `mermaid.ts` write
 * down. Everything here is a pure function of a document: no clock, no network, nothing of Node, as the page runs it, too.
 *
 * This file has the table of the formats. Flags, help, completion, the API with its description, and the page's menu
 * follow from it.
 */
import type { TraversalResult } from '../document/result.ts';
import type { Graphviz } from './dot.ts';
import type { NagiosCheck } from './nagios.ts';
import type { Look } from './result-text.ts';

/** How a format is made. Its renderer is loaded only when it is needed. */
export type Making =
  /** It is the result document itself, in JSON. */
  | { readonly kind: 'document' }
  /** It is the events of the traversal, which are written as they happen. */
  | { readonly kind: 'events' }
  | { readonly kind: 'text'; readonly render: (result: TraversalResult, look: Look) => Promise<string> }
  /** Graphviz draws it, which is an optional package. */
  | {
      readonly kind: 'picture';
      readonly draw: (result: TraversalResult, graphviz: Graphviz) => Promise<string>;
    }
  /** It brings an exit status of its own. `remarks`: why the result does not say more. */
  | {
      readonly kind: 'check';
      readonly check: (result: TraversalResult, remarks: readonly string[]) => Promise<NagiosCheck>;
    };

/** Where a format is offered. A command's `--format` has the words of its help: what the format is for. */
export interface Offers {
  readonly traverse?: string;
  readonly diff?: string;
  readonly servers?: string;
  readonly watch?: string;
  readonly wait?: string;
  readonly when?: string;
  readonly plan?: string;
  /** `svc traverse -f`: whether names are printed as rows for people or as lines of JSON. */
  readonly many?: 'rows' | 'lines';
  /** `?format=` of the API: the position in its list. */
  readonly api?: number;
  /** The page's menu: the position in it. */
  readonly page?: number;
}

/** One format. */
interface FormatRow {
  /** The name on a button. */
  readonly label: string;
  readonly mediaType: string;
  /** The ending of a file's name. */
  readonly ending: string;
  /** `plan`: `svc plan` writes it, of many results. */
  readonly made: Making | { readonly kind: 'plan' };
  /** Whether it shows what resolvers say that were named with `@`. */
  readonly resolvers: 'shown' | 'not-shown';
  readonly offered: Offers;
}

/** Every format by its name. */
export const FORMATS = {
  text: {
    label: 'Text',
    mediaType: 'text/plain',
    ending: 'txt',
    made: {
      kind: 'text',
      render: async (result, look) =>
        look.detail === 'full' || look.ends === 'explained'
          ? (await import('./result-text.ts')).renderText(result, look)
          : (await import('./plain-text.ts')).plainText(result, look),
    },
    resolvers: 'shown',
    offered: {
      traverse: 'for people',
      diff: 'for people',
      servers: 'for people',
      watch: 'for people',
      wait: 'for people',
      when: 'for people',
      plan: 'for people',
      many: 'rows',
      api: 2,
    },
  },
  json: {
    label: 'JSON',
    mediaType: 'application/json',
    ending: 'json',
    made: { kind: 'document' },
    resolvers: 'shown',
    offered: {
      traverse: 'for one result',
      diff: 'for programs',
      servers: 'for one list',
      wait: 'for the last result',
      when: 'for programs',
      plan: 'for programs',
      many: 'lines',
      api: 1,
      page: 1,
    },
  },
  jsonl: {
    label: 'JSON lines',
    mediaType: 'application/jsonl',
    ending: 'jsonl',
    made: { kind: 'events' },
    resolvers: 'not-shown',
    offered: {
      traverse: 'for events as they happen',
      servers: 'for one server per line',
      watch: 'for the events themselves',
      many: 'lines',
    },
  },
  dot: {
    label: 'DOT',
    mediaType: 'text/vnd.graphviz',
    ending: 'dot',
    made: {
      kind: 'text',
      render: async (result) => (await import('./dot.ts')).renderDot(result),
    },
    resolvers: 'not-shown',
    offered: { traverse: 'for the graph', api: 5 },
  },
  mermaid: {
    label: 'Mermaid',
    mediaType: 'text/plain',
    ending: 'mmd',
    made: {
      kind: 'text',
      render: async (result) => (await import('./mermaid.ts')).renderMermaid(result),
    },
    resolvers: 'not-shown',
    offered: { traverse: 'for the graph', api: 4 },
  },
  svg: {
    label: 'SVG',
    mediaType: 'image/svg+xml',
    ending: 'svg',
    made: {
      kind: 'picture',
      draw: async (result, graphviz) => {
        const { renderDot, svgOf } = await import('./dot.ts');
        return svgOf(renderDot(result), graphviz);
      },
    },
    resolvers: 'not-shown',
    // The page saves the picture where it shows it.
    offered: { traverse: 'for the graph', when: 'for the curve', api: 6 },
  },
  md: {
    label: 'Markdown',
    mediaType: 'text/markdown',
    ending: 'md',
    made: {
      kind: 'text',
      render: async (result) => (await import('./markdown.ts')).renderMarkdown(result),
    },
    resolvers: 'not-shown',
    offered: { traverse: 'for a ticket', plan: 'for a ticket or a pull request', api: 3, page: 3 },
  },
  nagios: {
    label: 'Nagios',
    mediaType: 'text/plain',
    ending: 'txt',
    made: {
      kind: 'check',
      check: async (result, remarks) => (await import('./nagios.ts')).nagiosCheck(result, remarks),
    },
    resolvers: 'not-shown',
    offered: { traverse: 'for monitors' },
  },
  prometheus: {
    label: 'Prometheus',
    mediaType: 'text/plain',
    ending: 'prom',
    made: {
      kind: 'text',
      render: async (result) => (await import('./prometheus.ts')).prometheusText(result),
    },
    resolvers: 'not-shown',
    offered: { traverse: 'for monitors' },
  },
  junit: {
    label: 'JUnit',
    mediaType: 'application/xml',
    ending: 'xml',
    made: { kind: 'plan' },
    resolvers: 'not-shown',
    offered: { plan: 'for test reports' },
  },
  sarif: {
    label: 'SARIF',
    mediaType: 'application/sarif+json',
    ending: 'sarif',
    made: { kind: 'plan' },
    resolvers: 'not-shown',
    offered: { plan: 'for code hosts' },
  },
} as const satisfies Readonly<Record<string, FormatRow>>;

/** Other texts of a result, for which `svc traverse` has flags of their own. */
export const TEXT_FLAGS = {
  short: {
    kind: 'text',
    render: async (result: TraversalResult) => (await import('./short-text.ts')).shortText(result),
  },
  chain: {
    kind: 'text',
    render: async (result: TraversalResult, look: Look) =>
      (await import('./result-text.ts')).chainText(result, look),
  },
} as const;

/** The name of a format. */
type FormatName = keyof typeof FORMATS;

/** A place where formats are offered. */
type Place = keyof Offers;

/** A command that has `--format`. */
export type CommandPlace = 'traverse' | 'diff' | 'servers' | 'watch' | 'wait' | 'when' | 'plan';

/** The name of a format that is offered in a place. */
export type FormatIn<P extends Place> = {
  [Name in FormatName]: P extends keyof (typeof FORMATS)[Name]['offered'] ? Name : never;
}[FormatName];

/** Whether a text names a format that is offered in a place. */
export function isOffered<P extends Place>(name: string, place: P): name is FormatIn<P> {
  return isFormat(name) && place in FORMATS[name].offered;
}

function isFormat(name: string): name is FormatName {
  return Object.hasOwn(FORMATS, name);
}

/** The formats that are offered in a place, in its order. */
export function formatsIn<P extends Place>(place: P): readonly FormatIn<P>[] {
  const position = (name: FormatName) => {
    const { [place]: value }: Offers = FORMATS[name].offered;
    return typeof value === 'number' ? value : 0;
  };
  return Object.keys(FORMATS)
    .filter((name) => isOffered(name, place))
    .sort((a, b) => position(a) - position(b));
}
