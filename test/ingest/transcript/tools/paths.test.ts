import { expect, test } from "bun:test";
import fc from "fast-check";
import { storedPath } from "../../../../src/ingest/transcript/paths.ts";
import { commandPaths } from "../../../../src/ingest/transcript/tools/command-paths.ts";
import { mentionedPaths } from "../../../../src/ingest/transcript/turn-entry.ts";
import { fcOptions } from "../../../support/fast-check.ts";

const HOME = "/home/me/app";

test.each<[path: string, cwd: string | null, roots: string[], stored: string | null]>([
  ["/home/me/app/src/a.ts", HOME, [HOME], "src/a.ts"],
  ["src/a.ts", HOME, [HOME], "src/a.ts"],
  ["../a.ts", `${HOME}/src`, [HOME], "a.ts"],
  ["./src//b/../a.ts", HOME, [HOME], "src/a.ts"],
  ["/home/me/app2/x", HOME, [HOME], "/home/me/app2/x"],
  ["../app2/x", HOME, [HOME], "/home/me/app2/x"],
  ["/home/me/app", HOME, [HOME], null],
  [".", HOME, [HOME], null],
  ["", HOME, [HOME], null],
  ["/home/me/app/", HOME, [`${HOME}/`], null],
  ["/home/me/app/src/", HOME, [`${HOME}/`], "src"],
  ["/etc/hosts", HOME, [HOME], "/etc/hosts"],
  ["/", HOME, [HOME], null],
  ["~/todo.md", HOME, [HOME], "/home/me/todo.md"],
  ["~/app/a.ts", HOME, [HOME], "a.ts"],
  ["~/x", "/srv/app", ["/srv/app"], "~/x"],
  ["~/x", "/Users/me/app", [], "/Users/me/x"],
  ["/home/me/app/.wt/fix/src/a.ts", `${HOME}/.wt/fix`, [`${HOME}/.wt/fix`, HOME], "src/a.ts"],
  ["/home/me/app/src/a.ts", `${HOME}/.wt/fix`, [`${HOME}/.wt/fix`, HOME], "src/a.ts"],
  ["/private/tmp/app/a.ts", "/tmp/app", ["/private/tmp/app", "/tmp/app"], "a.ts"],
  ["C:\\work\\app\\src\\a.ts", "C:\\work\\app", ["C:\\work\\app"], "src/a.ts"],
  ["c:\\work\\app\\a.ts", "C:\\work\\app", ["C:\\work\\app"], "a.ts"],
  ["C:\\work\\app2\\a.ts", "C:\\work\\app", ["C:\\work\\app"], "C:/work/app2/a.ts"],
  ["src\\a.ts", "C:\\work\\app", ["C:\\work\\app"], "src/a.ts"],
  ["file:///home/me/app/a.ts", HOME, [HOME], "a.ts"],
  ["my notes/a b.md", HOME, [HOME], "my notes/a b.md"],
  ["a.ts", null, [], "a.ts"],
  ["a\nb", HOME, [HOME], null],
  ["a\0b", HOME, [HOME], null],
  ["x".repeat(5000), HOME, [HOME], null],
])("storedPath(%j, %j, %j)", (path, cwd, roots, stored) => {
  expect(storedPath(path, cwd, roots)).toBe(stored);
});

test("a stored path names the same file again", () => {
  const names = fc.array(fc.stringMatching(/^[a-zé][a-z0-9 ._-]{0,8}$/), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(names, (parts) => {
      const path = parts.map((part) => part.trim()).join("/");
      const stored = storedPath(`${HOME}/${path}`, HOME, [HOME]);
      expect(storedPath(stored ?? "", HOME, [HOME])).toBe(stored);
    }),
    fcOptions(),
  );
});

test.each<[command: string, paths: string[]]>([
  ["cat src/a.ts", ["src/a.ts"]],
  ["cd packages/api && cat src/a.ts ../b.ts", ["packages/api/src/a.ts", "packages/b.ts"]],
  ["cd /srv && cat a.ts", ["/srv/a.ts"]],
  ["cd ~ && cat a.ts", ["~/a.ts"]],
  ["cd - && cat a.ts", ["a.ts"]],
  ["cat 'my notes.md' \"b c.txt\" d\\ e.md", ["my notes.md", "b c.txt", "d e.md"]],
  ["bun test > out.log 2>&1", ["out.log"]],
  ["bun test &> /tmp/out.log; echo done", ["/tmp/out.log"]],
  ["cat < in.json | jq '.a/b.c' x.json", ["in.json", "x.json"]],
  ["grep -rn 'a/b.ts' src/y.ts lib", ["src/y.ts"]],
  ["sed -i 's/a.ts/b.ts/g' c.ts", ["c.ts"]],
  ["sed -e 's/a/b/' -e 's/c/d/' c.ts", ["c.ts"]],
  ["node -e 'require(\"./a.js\")' b.js", ["b.js"]],
  ["git commit -m 'fix src/a.ts' src/b.ts", ["src/b.ts"]],
  ["git show HEAD:src/old.ts main:README.md", ["src/old.ts", "README.md"]],
  ["tsc --project=tsconfig.build.json --outDir dist/", ["tsconfig.build.json"]],
  ["eslint src/a.ts:10:3", ["src/a.ts"]],
  ["./scripts/build.sh --fast", ["./scripts/build.sh"]],
  ["/usr/bin/env node a.mjs", ["a.mjs"]],
  ["FOO=bar/baz.ts sudo cat x.ts", ["x.ts"]],
  ["ls *.ts src/**/*.ts {a,b}.ts $HOME/x.ts `pwd`/y.ts", []],
  ["npm install @scope/package left-pad@1.0.0", []],
  ["ssh user@host.com cat x.ts", []],
  ["scp user@host:/etc/passwd.txt .", []],
  ["git push origin feature/foo", []],
  ["go get github.com/a/b.go", []],
  ["curl https://example.org/a.json -o out.json", []],
  ["curl https://example.org/a.json > out.json", ["out.json"]],
  ["echo src/a.ts", []],
  ["cat <<'EOF' > a.md\nsee src/no.ts\nEOF\ncat b.md", ["a.md", "b.md"]],
  ["cat <<EOF\nnever/ends.ts", []],
  ["cat a.ts # and b.ts", ["a.ts"]],
  ["cat /dev/null /proc/cpuinfo", []],
  ["make -f Makefile && cat LICENSE", ["Makefile", "LICENSE"]],
  ["if [ -f a.ts ]; then cat b.ts; fi", ["a.ts", "b.ts"]],
  ["(cd sub; cat c.ts)", ["sub/c.ts"]],
  ["unclosed 'quote a.ts", []],
  ["", []],
])("commandPaths(%j)", (command, paths) => {
  expect(commandPaths(command)).toEqual(paths);
});

test("any command is survived, and gives a bounded number of paths", () => {
  const pieces = fc.constantFrom(
    "cat",
    "a.ts",
    "'",
    '"',
    "\\",
    "<<EOF",
    "\nEOF\n",
    "&&",
    "|",
    ">",
    "$(",
    ")",
    "#",
    " ",
    "\n",
    "cd x",
    "é.md",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      const paths = commandPaths(parts.join(" "));
      expect(paths.length).toBeLessThanOrEqual(40);
      for (const path of paths) expect(path).not.toMatch(/[\n"']/);
    }),
    fcOptions(),
  );
});

test.each<[prompt: string, paths: string[]]>([
  ["look at @src/a.ts and @README.md.", ["src/a.ts", "README.md"]],
  ['@"my notes.md" (@docs/) @./x @~/y @/etc/z', ["my notes.md", "docs/", "./x", "~/y", "/etc/z"]],
  ["@a\\ b.ts", ["a b.ts"]],
  ["@src/a.ts:10-20 @src/b.ts#L5-9", ["src/a.ts", "src/b.ts"]],
  ["@C:\\work\\a.ts", ["C:\\work\\a.ts"]],
  ["@scope/package @types/node @decorator @app.route me@host.org user@host:/a.ts", []],
  ["@babel/core@7.1.ts", []],
  ["a @src/a.ts @src/a.ts", ["src/a.ts"]],
  ["日本語@src/a.ts と @src/b.ts", ["src/b.ts"]],
  ["no mention", []],
])("mentionedPaths(%j)", (prompt, paths) => {
  expect(mentionedPaths(prompt)).toEqual(paths);
});
