import { toMementorError } from "../../../errors.ts";

/** The result of a check. `advice` says what to do. `fix` repairs it, if that is possible without asking. */
export interface Finding {
  state: "ok" | "warning" | "error";
  message: string;
  advice?: string | undefined;
  fix?: (() => void | Promise<void>) | undefined;
}

/** One check of `doctor`. */
export interface Check {
  /** Stable, for scripts. */
  name: string;
  run: () => Finding | Promise<Finding>;
}

/** A finding as it is reported. */
export interface Diagnosis {
  name: string;
  state: Finding["state"];
  message: string;
  advice: string | null;
  canFix: boolean;
  /** The problem that `fix` has repaired; null without a repair. */
  fixed: string | null;
}

export const ok = (message: string): Finding => ({ state: "ok", message });
export const warning = (message: string, advice: string, fix?: Finding["fix"]): Finding => ({
  state: "warning",
  message,
  advice,
  fix,
});
export const failure = (message: string, advice: string, fix?: Finding["fix"]): Finding => ({
  state: "error",
  message,
  advice,
  fix,
});

/**
 * Runs checks one after the other and yields their findings. With `fix`, repairs what can be repaired and checks
 * again. A check that throws yields an error of its own and does not stop the others.
 */
export async function* diagnose(
  checks: readonly Check[],
  { fix }: { fix: boolean },
): AsyncIterable<Diagnosis> {
  for (const check of checks) {
    const finding = await look(check);
    if (fix && finding.fix) yield await mend(check, finding, finding.fix);
    else yield report(check, finding, null);
  }
}

async function mend(check: Check, finding: Finding, fix: NonNullable<Finding["fix"]>): Promise<Diagnosis> {
  try {
    await fix();
  } catch (error) {
    const { message, hint } = toMementorError(error);
    const failed = { ...finding, message: `${finding.message}; ${message}`, advice: hint ?? finding.advice };
    return report(check, failed, null);
  }
  const after = await look(check);
  return report(check, after, after.state === "ok" ? finding.message : null);
}

async function look({ run }: Check): Promise<Finding> {
  try {
    return await run();
  } catch (error) {
    const { message, hint } = toMementorError(error);
    return failure(message, hint ?? 'Run "mementor told --log" for what happened before.');
  }
}

function report({ name }: Check, { state, message, advice, fix }: Finding, fixed: string | null): Diagnosis {
  return { name, state, message, advice: advice ?? null, canFix: fix !== undefined, fixed };
}
