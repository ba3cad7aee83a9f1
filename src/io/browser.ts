/** What `openFile` needs of the process. */
interface Desktop {
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * Opens a file with the program that the desktop uses for it, and returns at once. Returns false when there is no desktop
 * or no program that opens files.
 */
export function openFile(path: string, { platform, env }: Desktop): boolean {
  const hasScreen = platform === "win32" || platform === "darwin" || hasDisplay(env);
  if (!hasScreen) return false;
  try {
    const child = Bun.spawn([...openerOf(platform), path], {
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
      env: { ...env },
    });
    child.unref();
    return true;
  } catch {
    return false;
  }
}

function hasDisplay(env: Desktop["env"]): boolean {
  return [env.DISPLAY, env.WAYLAND_DISPLAY, env.WSL_DISTRO_NAME].some(
    (value) => value !== undefined && value !== "",
  );
}

function openerOf(platform: NodeJS.Platform): string[] {
  if (platform === "darwin") return ["open"];
  return platform === "win32" ? ["explorer.exe"] : ["xdg-open"];
}
