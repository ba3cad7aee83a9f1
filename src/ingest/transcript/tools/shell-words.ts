/** One simple command of a shell line. */
export interface ShellCommand {
  words: ShellWord[];
}

export interface ShellWord {
  text: string;
  /** True when a part of it was quoted or escaped, so that its spaces belong to the word. */
  quoted: boolean;
  /** True when it is the target of a redirection. */
  redirect: boolean;
}

/** Meanings of characters outside quotes. */
const PLAIN = 0;
const BLANK = 1;
const OPERATOR = 2;
const REDIRECT = 3;
const QUOTE = 4;
const ESCAPE = 5;
const HASH = 6;

const MEANING = new Uint8Array(128);
for (const [characters, meaning] of [
  [" \t\r", BLANK],
  [";&|()\n", OPERATOR],
  ["<>", REDIRECT],
  ["'\"", QUOTE],
  ["\\", ESCAPE],
  ["#", HASH],
] as const) {
  for (const character of characters) MEANING[character.charCodeAt(0)] = meaning;
}

const HEREDOC = /<<-?[ \t]*(['"\\]?)([A-Za-z_]\w*)\1/y;

function meaningAt(line: string, at: number): number {
  const code = line.charCodeAt(at);
  return code < 128 ? (MEANING[code] ?? PLAIN) : PLAIN;
}

/**
 * Splits a shell line into simple commands and words without running it. Resolves quotes and escapes, drops here-documents and
 * comments, and keeps expansions as written.
 */
export function shellCommands(line: string): ShellCommand[] {
  return new Lexer(line).run();
}

class Lexer {
  readonly #line: string;
  readonly #commands: ShellCommand[] = [];
  #at = 0;
  #words: ShellWord[] = [];
  #redirect = false;
  #heredocs: string[] = [];
  /** True after a quote without an end. The rest is not a word. */
  #isUnclosed = false;

  constructor(line: string) {
    this.#line = line;
  }

  run(): ShellCommand[] {
    while (this.#at < this.#line.length) {
      const meaning = meaningAt(this.#line, this.#at);
      if (meaning === BLANK) this.#at++;
      else if (meaning === OPERATOR) this.#operator();
      else if (meaning === REDIRECT) this.#redirection();
      else if (meaning === HASH) this.#at = this.#lineEnd();
      else this.#word();
    }
    this.#endCommand();
    return this.#commands;
  }

  #lineEnd(): number {
    const end = this.#line.indexOf("\n", this.#at);
    return end < 0 ? this.#line.length : end;
  }

  #operator(): void {
    const isLineEnd = this.#line[this.#at] === "\n";
    this.#at++;
    this.#endCommand();
    if (isLineEnd) for (const mark of this.#heredocs.splice(0)) this.#skipHeredoc(mark);
  }

  #endCommand(): void {
    if (this.#words.length > 0) this.#commands.push({ words: this.#words });
    this.#words = [];
    this.#redirect = false;
  }

  #skipHeredoc(mark: string): void {
    while (this.#at < this.#line.length) {
      const end = this.#lineEnd();
      const text = this.#line.slice(this.#at, end).trim();
      this.#at = end + 1;
      if (text === mark) return;
    }
  }

  #redirection(): void {
    HEREDOC.lastIndex = this.#at;
    const heredoc = HEREDOC.exec(this.#line);
    if (heredoc?.[2]) {
      this.#heredocs.push(heredoc[2]);
      this.#at = HEREDOC.lastIndex;
      return;
    }
    while (meaningAt(this.#line, this.#at) === REDIRECT) this.#at++;
    const next = this.#line[this.#at];
    if (next === "&" || next === "|") this.#at++;
    this.#redirect = next !== "&";
  }

  #word(): void {
    const { text, quoted } = this.#wordText();
    if (this.#isUnclosed) return;
    // `2>` is a redirection, not a word.
    if (/^\d$/.test(text) && !quoted && meaningAt(this.#line, this.#at) === REDIRECT) return;
    this.#words.push({ text, quoted, redirect: this.#redirect });
    this.#redirect = false;
  }

  /** Reads up to the end of a word, and resolves quotes and escapes. */
  #wordText(): { text: string; quoted: boolean } {
    const line = this.#line;
    let text = "";
    let quoted = false;
    for (;;) {
      const start = this.#at;
      this.#at = wordEnd(line, start);
      if (this.#at > start) text += line.slice(start, this.#at);
      const meaning = this.#at < line.length ? meaningAt(line, this.#at) : BLANK;
      if (meaning === QUOTE) {
        quoted = true;
        text += this.#quoted();
      } else if (meaning === ESCAPE) {
        const escaped = line[this.#at + 1] ?? "";
        quoted = true;
        if (escaped !== "\n") text += escaped;
        this.#at += 2;
      } else return { text, quoted };
    }
  }

  /** Reads the text between the quotes that start here. */
  #quoted(): string {
    const line = this.#line;
    const mark = line[this.#at] === "'" ? "'" : '"';
    let from = this.#at + 1;
    let text = "";
    for (;;) {
      const end = line.indexOf(mark, from);
      const slash = mark === '"' ? line.indexOf("\\", from) : -1;
      if (slash < 0 || (end >= 0 && end < slash)) return text + this.#closeQuote(from, end);
      text += line.slice(from, slash) + escapedInQuotes(line[slash + 1] ?? "");
      from = slash + 2;
    }
  }

  /** Returns the rest of a quote, which ends at `end`; -1 when it has no end. */
  #closeQuote(from: number, end: number): string {
    this.#isUnclosed = end < 0;
    this.#at = end < 0 ? this.#line.length : end + 1;
    return this.#line.slice(from, end < 0 ? undefined : end);
  }
}

/** Returns the end of the characters that belong to the word. */
function wordEnd(line: string, start: number): number {
  let at = start;
  while (at < line.length && isInside(meaningAt(line, at))) at++;
  return at;
}

function isInside(meaning: number): boolean {
  return meaning === PLAIN || meaning === HASH;
}

/** Returns the meaning of a backslash and the next character inside double quotes. */
function escapedInQuotes(next: string): string {
  return next !== "" && '"\\$`\n'.includes(next) ? next : `\\${next}`;
}
