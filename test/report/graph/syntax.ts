const DOT_STRING = '"(?:[^"\\\\\\n]|\\\\["\\\\n])*"';
const DOT_VALUE = `(?:${DOT_STRING}|[a-z0-9.]+)`;
/** A line of a graph for Graphviz. */
export const DOT_LINE = new RegExp(
  `^ *(?:(?:graph|node|edge|b\\d+|b\\d+ -> b\\d+) \\[[a-z]+=${DOT_VALUE}(?:, [a-z]+=${DOT_VALUE})*\\];|subgraph cluster_f\\d+ \\{|digraph traversal \\{|\\}|)$`,
);

const LABEL = '"(?:[^"#&<>{}\\\\`*_~[\\]|;@]|#\\d+;|<br/>)*"';
/** A line of a graph for Mermaid. */
export const MERMAID_LINE = new RegExp(
  `^ *(?:---|title: "(?:[^"\\\\]|\\\\.)*"|config:|flowchart:|wrappingWidth: 600|flowchart TD|end|notes\\[${LABEL}\\]:::notes|b\\d+(?:\\(\\[|\\[\\[|\\[|\\(|\\{\\{)${LABEL}(?:\\]\\)|\\]\\]|\\]|\\)|\\}\\}):::[A-Za-z]+|b\\d+ (?:-\\.->|-->\\|${LABEL}\\|) b\\d+|subgraph f\\d+ \\[${LABEL}\\]|class f\\d+ frame|linkStyle [\\d,]+ stroke:#[0-9a-f]{6}|classDef [A-Za-z]+ [a-z0-9:#, -]+|)$`,
);

/** What Graphviz makes of a string. */
export function readDot(string: string): readonly string[] {
  return string
    .slice(1, -1)
    .replace(/\\(.)/g, (_, escaped) => (escaped === 'n' ? '\n' : escaped))
    .split('\n')
    .map((line) => line.replaceAll('&amp;', '&'));
}

/** What Mermaid makes of a label. */
export function readMermaid(label: string): readonly string[] {
  return label
    .slice(1, -1)
    .split('<br/>')
    .map((line) =>
      line.replace(/#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))).replaceAll('\u2060', ''),
    );
}
