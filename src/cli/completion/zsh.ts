import type { CompletedCommand, CompletedOption, Completions, Place, Value } from './model.ts';

/** The completions as a script for zsh. */
export function zshCompletion({ options, commands }: Completions): string {
  const list = commands.map(
    ({ name, summary }) => `    ${quoted(`${name}:${summary.replaceAll(':', '\\:')}`)}`,
  );
  return `#compdef svc
# Completions of svc for zsh: source <(svc completion zsh), or put it into a folder of $fpath as _svc

${commands.flatMap(({ name, places }) => places.flatMap((place) => demoFunction(name, place))).join('')}_svc() {
  local curcontext=$curcontext state line
  local -a commands
  commands=(
${list.join('\n')}
  )
  _arguments -C -S \\
${options.map((option) => `    ${specOf(option)} \\\n`).join('')}    '1: :->command' \\
    '*:: :->rest'
  case $state in
    command) _describe -t commands command commands ;;
    rest)
      case $words[1] in
${commands.map(commandCase).join('')}      esac ;;
  esac
}

if [[ $funcstack[1] == _svc ]]; then
  _svc "$@"
else
  # Without compinit there is no compdef; -i passes over folders that others may write to, and asks nothing.
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
  compdef _svc svc
fi
`;
}

function commandCase({ name, options, places }: CompletedCommand): string {
  const specs = [
    ...options.map(specOf),
    ...places.map((place, at) => quoted(`${at + 1}:${place.name}:${placeAction(name, place)}`)),
  ];
  return `        ${name})
          _arguments -S \\
${specs.map((spec) => `            ${spec}`).join(' \\\n')} ;;
`;
}

/** "(-f --file)"{-f,--file}"[what it means]:file:_files": the spellings of one option exclude each other. */
function specOf({ spellings, summary, value }: CompletedOption): string {
  const told = `[${summary.replace(/[[\]:\\]/g, '\\$&')}]${valueAction(value)}`;
  const [only, ...others] = spellings;
  if (only !== undefined && others.length === 0) return quoted(`${only}${told}`);
  return `${quoted(`(${spellings.join(' ')})`)}{${spellings.join(',')}}${quoted(told)}`;
}

function valueAction(value: Value): string {
  switch (value.kind) {
    case 'none':
      return '';
    case 'file':
      return ':file:_files';
    case 'any':
      return ':value: ';
    case 'words':
      return `:value:(${value.words.join(' ')})`;
  }
}

function placeAction(command: string, { value, demo }: Place): string {
  if (demo.length > 0) return functionName(command);
  switch (value.kind) {
    case 'words':
      return `(${value.words.join(' ')})`;
    case 'file':
      return '_files';
    case 'none':
    case 'any':
      return ' ';
  }
}

function demoFunction(command: string, { demo }: Place): string {
  if (demo.length === 0) return '';
  return `${functionName(command)}() {
  (( \${words[(I)--demo]} )) && compadd -- ${demo.join(' ')}
}

`;
}

function functionName(command: string): string {
  return `_svc_${command}_names`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
