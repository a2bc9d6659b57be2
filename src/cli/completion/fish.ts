import type { CompletedCommand, CompletedOption, Completions, Value } from './model.ts';

/** The completions as a script for fish. */
export function fishCompletion({ options, commands }: Completions): string {
  const valued = [options, ...commands.map((command) => command.options)]
    .flat()
    .filter(({ value }) => value.kind !== 'none');
  const spellings = [...new Set(valued.flatMap((option) => option.spellings))];
  return `# Completions of svc for fish: svc completion fish | source

# Whether the word to complete is the one in this place (0: the command's name) of that command, if one is named.
function __svc_at
    set -l words (commandline -opc)
    set -l place 0
    set -l skip no
    set -l command
    for word in $words[2..]
        if test $skip = yes
            set skip no
        else if contains -- $word ${spellings.join(' ')}
            set skip yes
        else if not string match -q -- '-*' $word
            test $place = 0; and set command $word
            set place (math $place + 1)
        end
    end
    test $place = $argv[1]; and test $skip = no
    and begin
        test (count $argv) = 1; or test "$command" = $argv[2]
    end
end

function __svc_in
    __fish_seen_subcommand_from $argv[1]
end

complete -c svc -f
${options.map((option) => optionLine('__svc_at 0', option)).join('')}${commands.map(commandLines).join('')}`;
}

function commandLines({ name, summary, options, places }: CompletedCommand): string {
  const offered = places.map(({ value, demo }, at) => {
    const here = `__svc_at ${at + 1} ${name}`;
    const names = demo.length === 0 ? '' : line(`${here}; and __fish_contains_opt demo`, wordsFlag(demo));
    return (
      names +
      placeFlags(value)
        .map((flags) => line(here, flags))
        .join('')
    );
  });
  return [
    line('__svc_at 0', `-a ${name} -d ${quoted(summary)}`),
    ...options.map((option) => optionLine(`__svc_in ${name}`, option)),
    ...offered,
  ].join('');
}

function optionLine(condition: string, { spellings, summary, value }: CompletedOption): string {
  const spelled = spellings.map((spelling) =>
    spelling.startsWith('--') ? `-l ${spelling.slice(2)}` : `-s ${spelling.slice(1)}`,
  );
  return line(condition, [...spelled, `-d ${quoted(summary)}`, ...valueFlags(value)].join(' '));
}

function valueFlags(value: Value): readonly string[] {
  switch (value.kind) {
    case 'none':
      return [];
    case 'file':
      return ['-r', '-F'];
    case 'any':
      return ['-x'];
    case 'words':
      return ['-x', wordsFlag(value.words)];
  }
}

function placeFlags(value: Value): readonly string[] {
  switch (value.kind) {
    case 'words':
      return [wordsFlag(value.words)];
    case 'file':
      return ['-F'];
    case 'none':
    case 'any':
      return [];
  }
}

function wordsFlag(words: readonly string[]): string {
  return `-a ${quoted(words.join(' '))}`;
}

function line(condition: string, rest: string): string {
  return `complete -c svc -n ${quoted(condition)} ${rest}\n`;
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
