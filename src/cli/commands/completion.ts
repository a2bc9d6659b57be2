import { Argument, type Command, type Option } from 'commander';
import { USUAL_TYPES } from '../../dns/codes.ts';
import { EXIT } from '../process/errors.ts';
import { addHelpSections, type Configure, optionsToShow } from '../process/help.ts';

/** `svc completion SHELL`: prints a script that asks `svc __complete` for candidates, so that it never gets stale. */
export const configureCompletion: Configure = (command, { io, exit }) => {
  addHelpSections(command, AFTERWORD);
  command
    .addArgument(new Argument('<shell>', 'the shell to complete in').choices(Object.keys(SCRIPTS)))
    .action((shell: keyof typeof SCRIPTS) => {
      io.stdout.write(SCRIPTS[shell]);
      exit(EXIT.agreed);
    });
};

const AFTERWORD = {
  notes: [
    'For completion in every new shell, add the line for yours to ~/.bashrc, ~/.zshrc or ~/.config/fish/config.fish.',
    'In ~/.zshrc it goes below compinit, if that is there; otherwise the script loads it.',
  ],
  examples: ['source <(svc completion bash)', 'source <(svc completion zsh)'],
} as const;

/** The line that `svc __complete` prints where the name of a file may stand. */
const FILE = ':file';

const BASH = `# Completions of svc for bash: source <(svc completion bash)
_svc() {
  local lines current=\${COMP_WORDS[COMP_CWORD]#=}
  mapfile -t lines < <(svc __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ \${lines[0]-} == ${FILE} ]]; then
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  else
    COMPREPLY=("\${lines[@]%%$'\\t'*}")
  fi
}
complete -F _svc svc
`;

const ZSH = `#compdef svc
# Completions of svc for zsh: source <(svc completion zsh), or put it into a folder of $fpath as _svc
_svc() {
  local line
  local -a lines candidates
  lines=("\${(@f)$(svc __complete "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  [[ $lines[1] == ${FILE} ]] && { _files; return }
  for line in $lines; do candidates+=("\${\${line//:/\\\\:}/$'\\t'/:}"); done
  (( $#candidates )) && _describe -V svc candidates
}

if [[ $funcstack[1] == _svc ]]; then
  _svc "$@"
else
  # Without compinit there is no compdef; -i passes over folders that others may write to, and asks nothing.
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
  compdef _svc svc
fi
`;

const FISH = `# Completions of svc for fish: svc completion fish | source
function __svc_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -q current[1]; or set current ''
    set -l lines (svc __complete $before[2..] $current 2>/dev/null)
    if test "$lines[1]" = ${FILE}
        __fish_complete_path $current
    else
        printf '%s\\n' $lines
    end
end
complete -c svc -f -a '(__svc_complete)'
`;

const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH };

/** What may stand where the cursor is, a line each: the word, and after a tab what it means. */
type Candidate = readonly [word: string, meaning?: string];

/**
 * What `svc __complete` prints for the words of a command line without its first; the last is the one to complete.
 * `program` has every subcommand loaded.
 */
export async function completions(program: Command, words: readonly string[]): Promise<string> {
  const typed = words.filter((word, at) => !isSeparator(word, words[at - 1]) || at === words.length - 1);
  const current = (typed.at(-1) ?? '').replace(/^=$/, '');
  const before = placeAfter(program, typed.slice(0, -1));
  const offered = await candidatesAt(before, current, program);
  if (offered === 'file') return `${FILE}\n`;
  return offered
    .filter(([word]) => word.startsWith(current))
    .map((candidate) => `${candidate.join('\t')}\n`)
    .join('');
}

/** For bash "=" is a word of its own: --format=json is three. */
function isSeparator(word: string, before: string | undefined): boolean {
  return word === '=' && before?.startsWith('--') === true;
}

/** Where the word to complete stands. */
interface Place {
  readonly command: Command | 'help' | undefined;
  /** The option whose value it is. */
  readonly option: Option | undefined;
  /** How many words that are no options come before it, after the command. */
  readonly index: number;
  readonly demo: boolean;
}

function placeAfter(program: Command, words: readonly string[]): Place {
  let place: Place = { command: undefined, option: undefined, index: 0, demo: words.includes('--demo') };
  for (const word of words) {
    if (place.option !== undefined) place = { ...place, option: undefined };
    else if (/^-./.test(word)) place = { ...place, option: optionTaking(place.command ?? program, word) };
    else if (place.command === undefined) place = { ...place, command: commandNamed(program, word) };
    else place = { ...place, index: place.index + 1 };
  }
  return place;
}

function commandNamed(program: Command, name: string): Place['command'] {
  return program.commands.find((command) => command.name() === name) ?? 'help';
}

/** The option of that spelling, if its value is the next word. */
function optionTaking(command: Command | 'help', spelling: string): Option | undefined {
  const option = optionsOf(command).find(({ short, long }) => [short, long].includes(spelling));
  return option?.required || option?.optional ? option : undefined;
}

function optionsOf(command: Command | 'help'): readonly Option[] {
  return command === 'help' ? [] : optionsToShow(command);
}

async function candidatesAt(
  { command, option, index, demo }: Place,
  current: string,
  program: Command,
): Promise<readonly Candidate[] | 'file'> {
  if (option !== undefined) return valuesOf(option);
  const [, spelling, value] = /^(--[^=]+=)(.*)/.exec(current) ?? [];
  if (spelling !== undefined && value !== undefined) {
    const named = optionTaking(command ?? program, spelling.slice(0, -1));
    const values = named === undefined ? [] : valuesOf(named);
    return values === 'file' ? values : values.map(([word]) => [`${spelling}${word}`]);
  }
  if (current.startsWith('-')) return optionsOf(command ?? program).flatMap(spellingsOf);
  if (command === undefined) return [...commandsOf(program), ['help', 'print the help of a command']];
  if (command === 'help') return index === 0 ? commandsOf(program) : [];
  return await wordsOf(command.registeredArguments[index], demo);
}

function commandsOf(program: Command): readonly Candidate[] {
  return program.commands.map((command) => [command.name(), command.summary()]);
}

function spellingsOf({ short, long, description }: Option): readonly Candidate[] {
  return [short, long].flatMap((spelling) => (spelling === undefined ? [] : [[spelling, description]]));
}

function valuesOf({ flags, argChoices }: Option): readonly Candidate[] | 'file' {
  if (argChoices !== undefined) return argChoices.map((word) => [word]);
  return valuesNamed(/<([^<>]+)>$/.exec(flags)?.[1]);
}

async function wordsOf(
  argument: Argument | undefined,
  demo: boolean,
): Promise<readonly Candidate[] | 'file'> {
  if (argument?.argChoices !== undefined) return argument.argChoices.map((word) => [word]);
  if (argument?.name() !== 'name' || !demo) return valuesNamed(argument?.name());
  const { showcases } = await import('../../lab/showcases.ts');
  return [...new Map(showcases.map(({ name, line }) => [name, line]))];
}

/** What is written for a word of that name, be it an argument or the value of an option. */
function valuesNamed(name: string | undefined): readonly Candidate[] | 'file' {
  if (name === 'type') return USUAL_TYPES.map((type) => [type]);
  return name !== undefined && FILES.includes(name) ? 'file' : [];
}

/** The arguments and values that name files. */
const FILES: readonly string[] = ['file', 'folder', 'dir', 'old', 'new', 'plan'];
