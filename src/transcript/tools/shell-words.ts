/** One simple command of a shell line. */
export interface ShellCommand {
  words: ShellWord[];
}

export interface ShellWord {
  text: string;
  /** True when any of it was quoted: then blanks in it are part of the word. */
  quoted: boolean;
  /** True when it is the target of a redirection. */
  redirect: boolean;
}

const HEREDOC = /<<-?\s*(['"\\]?)([A-Za-z_]\w*)\1/y;
const OPERATOR = /&&|\|\||;;|[;&|()\n]/y;
const REDIRECTION = /\d*(?:>>|>\||>&|<&|&>>|&>|<>|>|<)/y;
const COMMENT = /#[^\n]*/y;
const PLAIN = /[^\s'"\\;&|()<>`$#]+/y;

/**
 * Splits a shell line into simple commands and words, as far as that goes without running it: quotes and escapes are
 * resolved, here-documents and comments are left out, expansions stay as they are written.
 */
export function shellCommands(line: string): ShellCommand[] {
  const lexer = new Lexer(line);
  lexer.run();
  return lexer.commands;
}

class Lexer {
  readonly commands: ShellCommand[] = [];
  readonly #line: string;
  #at = 0;
  #words: ShellWord[] = [];
  #redirect = false;
  #heredocs: string[] = [];

  constructor(line: string) {
    this.#line = line;
  }

  run(): void {
    while (this.#at < this.#line.length) {
      if (this.#match(/[ \t\r]+|\\\r?\n/y) !== null || this.#comment()) continue;
      const heredoc = this.#heredoc();
      if (heredoc) continue;
      const redirection = this.#match(REDIRECTION);
      if (redirection !== null) {
        this.#redirect = !redirection.endsWith("&");
        continue;
      }
      const operator = this.#match(OPERATOR);
      if (operator === null) this.#word();
      else this.#end(operator);
    }
    this.#end("");
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#line);
    if (!found) return null;
    this.#at = pattern.lastIndex;
    return found[0];
  }

  #comment(): boolean {
    const before = this.#line[this.#at - 1];
    const startsWord = before === undefined || /[\s;&|(]/.test(before);
    return startsWord && this.#match(COMMENT) !== null;
  }

  #heredoc(): boolean {
    HEREDOC.lastIndex = this.#at;
    const found = HEREDOC.exec(this.#line);
    if (!found?.[2]) return false;
    this.#at = HEREDOC.lastIndex;
    this.#heredocs.push(found[2]);
    return true;
  }

  #end(operator: string): void {
    if (this.#words.length > 0) this.commands.push({ words: this.#words });
    this.#words = [];
    this.#redirect = false;
    if (operator !== "\n") return;
    for (const mark of this.#heredocs.splice(0)) this.#skipHeredoc(mark);
  }

  #skipHeredoc(mark: string): void {
    while (this.#at < this.#line.length) {
      const end = this.#line.indexOf("\n", this.#at);
      const text = this.#line.slice(this.#at, end < 0 ? undefined : end);
      this.#at = end < 0 ? this.#line.length : end + 1;
      if (text.trim() === mark) return;
    }
  }

  #word(): void {
    let text = "";
    let quoted = false;
    for (;;) {
      const plain = this.#match(PLAIN);
      if (plain !== null) {
        text += plain;
        continue;
      }
      const mark = this.#line[this.#at];
      if (mark === undefined || /[\s;&|()<>]/.test(mark)) break;
      this.#at++;
      if (mark === "'" || mark === '"') {
        quoted = true;
        text += this.#quoted(mark);
      } else if (mark === "\\") text += this.#line[this.#at++] ?? "";
      else text += mark;
    }
    this.#words.push({ text, quoted, redirect: this.#redirect });
    this.#redirect = false;
  }

  #quoted(mark: string): string {
    let text = "";
    while (this.#at < this.#line.length) {
      const next = this.#line[this.#at++];
      if (next === mark) break;
      if (mark === '"' && next === "\\" && /["\\$`\n]/.test(this.#line[this.#at] ?? "")) {
        text += this.#line[this.#at++] ?? "";
      } else text += next;
    }
    return text;
  }
}
