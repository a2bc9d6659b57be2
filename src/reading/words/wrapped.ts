/** A text in lines of at most `width` characters, broken at blanks. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  const longest = Math.max(1, width);
  const words = text.trim().split(/\s+/);
  for (const word of words.flatMap((whole) => chunks(whole, longest))) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}

/** A word in pieces that fit. */
function chunks(word: string, width: number): readonly string[] {
  const pieces = Math.max(1, Math.ceil(word.length / width));
  return Array.from({ length: pieces }, (_, at) => word.slice(at * width, (at + 1) * width));
}
