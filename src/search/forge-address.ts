/** The host and the repository of the address of an issue, a pull request, a commit, a file or a run of a forge. */
const REPOSITORY =
  /https?:\/\/[\w.-]+(?:\/[\w.-]+){2,4}?(?:\/-)?(?=\/(?:pulls?|issues|merge_requests|commits?|actions|blob|tree|discussions|releases|compare|wiki)(?![\w.-]))/gi;

/**
 * Takes the host and the repository out of the addresses of a prompt: they name the project that is worked on, as most of
 * its turns do, and say nothing of the matter. `https://github.com/me/app/pull/12` becomes `/pull/12`.
 */
export function withoutRepository(prompt: string): string {
  return prompt.replace(REPOSITORY, "");
}
