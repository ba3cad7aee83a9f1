/** The host and the repository of the address of an issue, a pull request, a commit, a file or a run of a forge. */
const REPOSITORY =
  /https?:\/\/[\w.-]+(?:\/[\w.-]+){2,4}?(?:\/-)?(?=\/(?:pulls?|issues|merge_requests|commits?|actions|blob|tree|discussions|releases|compare|wiki)(?![\w.-]))/gi;

/**
 * Takes the host and the repository out of the addresses in a prompt. They name the project, as most of its turns do, and so
 * say nothing about what the prompt asks. `https://github.com/me/app/pull/12` becomes `/pull/12`.
 */
export function withoutRepository(prompt: string): string {
  return prompt.replace(REPOSITORY, "");
}
