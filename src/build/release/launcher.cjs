#!/usr/bin/env node
// Starts the mementor of the platform package that fits this machine.
"use strict";
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

const SCOPE = "@SCOPE@";

/** Names the builds that run on a machine, the best first. */
function targetsFor({ platform, arch, isMusl, hasAvx2 }) {
  const os = platform === "win32" ? "windows" : platform;
  const plain = `${os}-${arch}`;
  if (os !== "linux") return [plain];
  if (isMusl) return [`${plain}-musl`];
  if (arch !== "x64") return [plain];
  return hasAvx2 ? [plain, `${plain}-baseline`] : [`${plain}-baseline`];
}

function machine() {
  const isLinux = process.platform === "linux";
  return {
    platform: process.platform,
    arch: process.arch,
    isMusl: isLinux && readOr("/proc/self/maps", "").includes("/ld-musl-"),
    // A machine that does not say what it can gets the newer build.
    hasAvx2: !isLinux || /\bavx2\b/.test(readOr("/proc/cpuinfo", "avx2")),
  };
}

function readOr(file, otherwise) {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return otherwise;
  }
}

/** Returns the binary of the first package that is installed. */
function findBinary(targets) {
  for (const target of targets) {
    const name = target.startsWith("windows") ? "mementor.exe" : "mementor";
    try {
      const manifest = require.resolve(`${SCOPE}/${target}/package.json`);
      const binary = path.join(path.dirname(manifest), "bin", name);
      if (fs.existsSync(binary)) return binary;
    } catch {
      // Not installed; the next one may be.
    }
  }
  return null;
}

function start(binary) {
  const child = spawn(binary, process.argv.slice(2), { stdio: "inherit" });
  // The terminal sends Ctrl-C to both: the program decides how it ends.
  process.on("SIGINT", () => {});
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => fail(`mementor cannot be started: ${error.message}`));
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

if (require.main === module) {
  const targets = targetsFor(machine());
  const binary = findBinary(targets);
  if (binary !== null) start(binary);
  else
    fail(
      `mementor: the package ${SCOPE}/${targets[0]} is missing. Either mementor is not built for this machine, ` +
        "or optional dependencies were left out: install again without --omit=optional.",
    );
} else module.exports = { targetsFor };
