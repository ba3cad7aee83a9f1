/** How a private key's lines may stand in a text: what each line is put into. `${line}` is the line. */
export const KEY_PLACES: readonly (readonly [place: string, wrap: (lines: readonly string[]) => string])[] = [
  ["as it is", (lines) => lines.join("\n")],
  ["with Windows' line ends", (lines) => lines.join("\r\n")],
  ["behind quote marks", (lines) => lines.map((line) => `> ${line}`).join("\n")],
  ["behind list marks", (lines) => lines.map((line) => `- ${line}`).join("\n")],
  ["in comments", (lines) => lines.map((line) => `# ${line}`).join("\n")],
  [
    "behind line numbers",
    (lines) => lines.map((line, i) => `${String(i + 1).padStart(6)}→${line}`).join("\n"),
  ],
  ["behind line numbers and a tab", (lines) => lines.map((line, i) => `${i + 1}\t${line}`).join("\n")],
  ["in a difference", (lines) => lines.map((line) => `+${line}`).join("\n")],
  ["indented", (lines) => lines.map((line) => `    ${line}`).join("\n")],
  ["on one line with escapes", (lines) => `"${lines.join("\\n")}\\n"`],
  ["with escaped escapes", (lines) => `\\"${lines.join("\\\\n")}\\"`],
  ["percent-encoded", (lines) => lines.map((line) => encodeURIComponent(line)).join("%0A")],
  ["with encoded breaks alone", (lines) => lines.join("%0A")],
  ["joined by blanks", (lines) => lines.join(" ")],
  ["as strings of code", (lines) => lines.map((line) => `"${line}\\n" +`).join("\n")],
  ["in a table", (lines) => lines.map((line) => `| ${line} |`).join("\n")],
  [
    "behind a file's name, without its end",
    (lines) =>
      lines
        .slice(0, -1)
        .map((line, i) => `keys/id.pem:${i + 1}:${line}`)
        .join("\n"),
  ],
  ["behind authors", (lines) => lines.map((line, i) => `a1b2c3d4 (Ada 2026-01-02 ${i}) ${line}`).join("\n")],
  [
    "in a drawn table, without its end",
    (lines) =>
      lines
        .slice(0, -1)
        .map((line) => `│ ${line} │`)
        .join("\n"),
  ],
  ["without its end", (lines) => lines.slice(0, -1).join("\n")],
  ["without its first line", (lines) => lines.slice(1).join("\n")],
  ["without both", (lines) => lines.slice(1, -1).join("\n")],
  ["cut off in the second line", (lines) => lines.slice(0, 3).join("\n").slice(0, -30)],
  [
    "behind sixty lines that look like a header",
    ([first = "", ...rest]) =>
      [first, ...Array.from({ length: 60 }, (_, i) => `X-Header-${i}: some value`), "", ...rest].join("\n"),
  ],
  [
    "behind sixty such lines, without its end",
    ([first = "", ...rest]) =>
      [
        first,
        ...Array.from({ length: 60 }, (_, i) => `X-Header-${i}: some value`),
        "",
        ...rest.slice(0, -1),
      ].join("\n"),
  ],
];

/** Names on the first and the last line, and how the body's Base64 starts. */
export const KEY_KINDS: readonly (readonly [name: string, start: string])[] = [
  ["RSA PRIVATE KEY", "MIIEpAIBAAKCAQEA"],
  ["PRIVATE KEY", "MIIEvQIBADANBgkqhkiG9w0BAQEF"],
  ["EC PRIVATE KEY", "MHcCAQEEI"],
  ["OPENSSH PRIVATE KEY", "b3BlbnNzaC1rZXktdjEAAAAA"],
  ["ENCRYPTED PRIVATE KEY", "MIIFHDBOBgkqhkiG9w0BBQ0w"],
  ["DSA PRIVATE KEY", "MIIBuwIBAAKBgQD"],
];
