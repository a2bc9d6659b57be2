import type { CompletedCommand, CompletedOption, Completions, Value } from './model.ts';

/** The completions as a script for bash. */
export function bashCompletion({ options, commands }: Completions): string {
  return `# Completions of svc for bash: source <(svc completion bash)

${valueFunction(commands)}

${placeFunction(commands)}

${optionsFunction(options, commands)}

${mainFunction(commands)}

complete -F _svc svc
`;
}

function valueFunction(commands: readonly CompletedCommand[]): string {
  return `# What may follow an option: words, files, anything, or nothing.
_svc_value() {
  case "$1 $2" in
${commands.flatMap(valueLines).join('\n')}
    *) echo none ;;
  esac
}`;
}

function valueLines({ name, options }: CompletedCommand): readonly string[] {
  return options
    .filter(({ value }) => value.kind !== 'none')
    .map(({ spellings, value }) => {
      const patterns = spellings.map((spelling) => `'${name} ${spelling}'`).join(' | ');
      return `    ${patterns}) echo ${quoted(valueWords(value))} ;;`;
    });
}

function placeFunction(commands: readonly CompletedCommand[]): string {
  return `# What may be written in a place, as above; "demo" says that --demo is there.
_svc_place() {
  case "$1 $2 $3" in
${commands.flatMap(placeLines).join('\n')}
    *) echo any ;;
  esac
}`;
}

function placeLines({ name, places }: CompletedCommand): readonly string[] {
  return places.flatMap(({ value, demo }, at) => {
    const words = [`    '${name} ${at} '*) echo ${quoted(valueWords(value))} ;;`];
    return demo.length === 0
      ? words
      : [`    '${name} ${at} demo') echo ${quoted(demo.join(' '))} ;;`, ...words];
  });
}

function optionsFunction(options: readonly CompletedOption[], commands: readonly CompletedCommand[]): string {
  return `# The options of a command, or of svc itself.
_svc_options() {
  case "$1" in
${commands.map(({ name, options }) => `    ${name}) echo ${quoted(spellings(options))} ;;`).join('\n')}
    '') echo ${quoted(spellings(options))} ;;
  esac
}`;
}

function mainFunction(commands: readonly CompletedCommand[]): string {
  return `_svc() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]}
  local command='' demo='' place=0 skip='' at word
  COMPREPLY=()
  # "=" is a word of its own: --format=json is three.
  if [[ $current == '=' ]]; then current=''
  elif [[ $before == '=' && COMP_CWORD -gt 1 ]]; then before=\${COMP_WORDS[COMP_CWORD - 2]}; fi
  for ((at = 1; at < COMP_CWORD; at++)); do
    word=\${COMP_WORDS[at]}
    if [[ $word == '=' ]]; then skip=yes
    elif [[ -n $skip ]]; then skip=''
    elif [[ $word == --demo ]]; then demo=demo
    elif [[ $word == -?* ]]; then [[ $(_svc_value "$command" "$word") == none ]] || skip=yes
    elif [[ -z $command ]]; then command=$word
    else ((place++)); fi
  done
  local value=none
  [[ $before == -?* ]] && value=$(_svc_value "$command" "$before")
  [[ $value == none && $current != -* && -n $command ]] && value=$(_svc_place "$command" "$place" "$demo")
  case $value in
    file) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    any) ;;
    none)
      local words
      if [[ $current == -* ]]; then words=$(_svc_options "$command")
      else words=${quoted(commands.map(({ name }) => name).join(' '))}; fi
      mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current") ;;
    *) mapfile -t COMPREPLY < <(compgen -W "$value" -- "$current") ;;
  esac
}`;
}

function valueWords(value: Value): string {
  return value.kind === 'words' ? value.words.join(' ') : value.kind;
}

function spellings(options: readonly CompletedOption[]): string {
  return options.flatMap(({ spellings }) => spellings).join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
