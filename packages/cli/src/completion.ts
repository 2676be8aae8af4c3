import { type Command, UsageError } from "./command.ts";

export const SHELLS = ["bash", "zsh", "fish"] as const;

/** Renders a script that completes the words of commands and their options. */
export function renderCompletion(shell: string, commands: readonly Command[]): string {
  if (shell === "bash") return renderBash(commands);
  // zsh runs completions of bash.
  if (shell === "zsh")
    return `autoload -U +X bashcompinit && bashcompinit\n${renderBash(commands)}`;
  if (shell === "fish") return renderFish(commands);
  throw new UsageError(`There is no completion for ${shell}. Use ${SHELLS.join(", ")}.`);
}

const listOptions = ({ options = {} }: Command) =>
  [...Object.keys(options), "json", "live", "help"].map((name) => `--${name}`);

const getWords = (commands: readonly Command[], depth: number, first?: string) => [
  ...new Set(
    commands
      .map(({ name }) => name.split(" "))
      .filter((words) => first === undefined || words[0] === first)
      .flatMap((words) => words[depth] ?? []),
  ),
];

function renderBash(commands: readonly Command[]): string {
  const groups = getWords(commands, 0).filter((word) => getWords(commands, 1, word).length > 0);
  return `_ante() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [[ $current == -* ]]; then
    case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
${commands.map((command) => `      "${command.name}"*) words="${listOptions(command).join(" ")}" ;;`).join("\n")}
    esac
  elif [[ $COMP_CWORD -eq 1 ]]; then
    words="${getWords(commands, 0).join(" ")}"
  elif [[ $COMP_CWORD -eq 2 ]]; then
    case "\${COMP_WORDS[1]}" in
${groups.map((word) => `      ${word}) words="${getWords(commands, 1, word).join(" ")}" ;;`).join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _ante ante`;
}

function renderFish(commands: readonly Command[]): string {
  const quote = (text: string) => `'${text.replaceAll("'", String.raw`\\'`)}'`;
  const lines = commands.flatMap((command) => {
    const [first = "", second] = command.name.split(" ");
    const isUsed = `__fish_seen_subcommand_from ${second ?? first}`;
    const word =
      second === undefined
        ? `complete -c ante -n __fish_use_subcommand -a ${first} -d ${quote(command.summary)}`
        : `complete -c ante -n '__fish_seen_subcommand_from ${first}' -a ${second} -d ${quote(command.summary)}`;
    const options = Object.entries(command.options ?? {}).map(
      ([name, { help }]) => `complete -c ante -n '${isUsed}' -l ${name} -d ${quote(help)}`,
    );
    return [word, ...options];
  });
  const groups = getWords(commands, 0).filter((word) => getWords(commands, 1, word).length > 0);
  const first = groups.map((word) => `complete -c ante -n __fish_use_subcommand -a ${word}`);
  return ["complete -c ante -f", ...first, ...lines].join("\n");
}
