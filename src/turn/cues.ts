import { alsoIn } from "../text/also-in.ts";
import { AT_START, ELSEWHERE } from "./cues-elsewhere.ts";

/** In English, and in a few words of other languages. */
const ENGLISH = {
  /** A reason. */
  reason:
    /\b(?:because|since|so that|due to|caused by|the reason|to avoid|to prevent|otherwise|that's why|which (?:means|is why)|weil|damit|parce que|porque|потому что)\b|때문|から|ので|因为|因為|所以/i,
  /** A choice that was made. */
  decision:
    /\b(?:decid\w+|decision|chose|chosen|choose|agreed|instead of|rather than|prefer\w*|went with|go(?:ing)? with|settled on|on purpose|by design|source of truth|convention|statt|entschieden|plutôt que|en lugar de)\b|하기로|대신|ことにし|决定|決定|而不是/i,
  /** A rule or a limit. */
  rule: /\b(?:must|never|always|should(?:n't| not)?|only|cannot|can't|don't|do not|does(?:n't| not)|won't|need(?:s)? to|required?|no longer|no \w+s|nowhere|nobody|nothing but|at all|without|has to|have to|at (?:most|least)|muss|nie|immer|doit|jamais|debe|nunca)\b|해야|하지 마|안 되|必ず|べき|必须|必須|不要|不能/i,
  /** A rule without exceptions. */
  firm: /\b(?:must|never|always|cannot|can't|don't|do not|nie|immer|jamais|toujours|nunca|siempre)\b|해야|必ず|必须|必須|不能/i,
  /** What is to be, or may not be: a norm that somebody sets. */
  norm: /\b(?:must(?:n't)?|(?:may|can) (?:only|not|never)|(?:nothing|nobody|nowhere|no \w+) (?:may|can|is|are|will)|never|always|has to|have to|(?:is|are) to be|should(?:n't)?|no \w+s?, no|at all\b|at all$|from now on|for good|at (?:most|least)|only (?:from|when|if|after|until)|every(?:thing|body)? (?:over|above|below|else)|any(?:thing|body)? (?:over|above|below|else)|we (?:don't|do not|never|always|only)|needs? (?:one|to)|contract\w*|legal|muss|darf|nie|immer|doit|jamais|debe|nunca)\b|해야|하지 마|안 되|必ず|べき|必须|必須|不要|不能/i,
  /** What follows from what was said before. */
  conclusion:
    /^(?:["“]?(?:(?:good|great|right|ok(?:ay)?|yes|ah)[,.!:—-]+ )?(?:so|therefore|thus|hence|that (?:settles|explains|answers)|the (?:effect|cause|reason|upshot)|and that is|that(?: i|')s (?:why|the|it)|it turns out|in short|for the (?:record|future)|from now on|settled|agreed|decided|answer)\b)/i,
  /** The report of a step that the speaker took. */
  report:
    /^(?:and |so |then |also )?(?:i(?:'ve| have)? (?:set|added|checked|changed|wrote|put|made|left|fixed|updated|removed|moved|ran|documented)|rolled out|released|done|it's (?:live|there|in))\b/i,
  /** Something that was found out. */
  finding:
    /\b(?:root cause|the (?:real |actual |main |underlying |core )?(?:issue|problem|bug|cause|error|reason|culprit|difference|key)\b|turns out|found (?:that|the|it)|fails? (?:when|if|because|with)|happens (?:when|because|if)|broke|breaks|it's (?:a|the|not)|is (?:set|stored|called|created|used|written|defined|handled|triggered)|works by|means that)\b|원인|原因|문제는|問題は/i,
  /** A change that was made. */
  change:
    /\b(?:fix(?:ed|es)|added|adds|changed|changes|updated|now (?:use|uses|returns?|checks?|handles?|works?|shows?|is|are)|replaced|removed|moved|renamed|refactored|created|implemented|extracted|switched|introduced|merged|dropped)\b|수정|추가|변경|追加|変更|修正|删除|添加|修改/i,
  /** The announcement of a step. */
  narration:
    /^(?:(?:now|ok(?:ay)?|good|great|perfect|excellent|next|first|then|alright|hmm|wait|actually|interesting|right|so|and|but)\b[,.!:\s—-]*)*(?:let me|let's (?:see|look|check|start|first|now|run|verify|try|read)|i'll|i will|i'm going to|(?:i )?(?:(?:also|still) )?need to|i should|i can see|i see|i'm|i have|i want|i now|looking at|checking|running|reading|now (?:i|let|the|that|we|update|add|check|run|fix|remove|replace|create|write|rewrite|wire|move|rename|delete|commit|stage|implement|verify|test|build|look|read|make|set|apply|find|do)\b|delegating|kicking off|spawning|launching|time to|moving on|time for|지금|먼저|まず|先)/i,
  /** A message of success or of a check. */
  checked:
    /\b(?:all )?(?:tests?|lint\w*|build|typecheck|ci|checks?|compil\w+)\b.{0,40}\b(?:pass\w*|clean|green|succeed\w*|success\w*|done|pushed|fail\w*)\b|^(?:done|all done|perfect|great|excellent)\b|✅|committed and pushed|^pushed\b|\bpushed(?: (?:to|it|as|all|both|the|and)\b|[.!]?$)/i,
  /** A guess or an option that is open. */
  guess:
    /\b(?:maybe|perhaps|probably|possibly|might|could (?:be|also|we)|i think|i wonder|not sure|option [a-d\d]|would you like|do you want|shall (?:i|we)|should i|if you(?:'d| would)? (?:want|like|prefer))\b/i,
  /** The user's intention restated. */
  restated:
    /^(?:(?:the user|user)\b.{0,20}\b(?:wants?|asks?|asked|is asking|says?|said|mentioned|wants me|has|confirmed|approved)\b|(?:initial|primary|original|main) (?:request|intent|task|goal)\b)/i,
  /** Work that is left. */
  open: /\b(?:todo|still (?:to|needs?|open|missing|fails?)|not yet|remain(?:s|ing)|next(?: step)?(?:,|:| is| I)|left to do)\b/i,
  question: /[?？]["'»”’)\]*_`]*$/,
  /** A line that leads to what follows. */
  lead: /[:：]\**$/,
  /** A reference to what stands before it. */
  deictic: /^(?:this|that|these|those|it|they|he|both|yes|no|same|which|so|also|and|but|however)\b/i,
  name: /`[^`]+`|(?<![\w-])[\w-]+\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|c|h|cc|cpp|cs|php|sh|sql|css|html|vue|md|ya?ml|json|toml|mdx|omp)\b|\b[a-z]+[A-Z]\w+|\b\w+_\w+|\b\w+\(\)|--\w+/,
} as const;

export type Cue = keyof typeof ENGLISH;

/** Signs in a sentence of what it does. Each is looked for in the whole sentence. */
export const CUES: Readonly<Record<Cue, RegExp>> = { ...ENGLISH, ...inAllLanguages() };

function inAllLanguages(): Partial<Record<Cue, RegExp>> {
  const cues: Partial<Record<Cue, RegExp>> = {};
  const isFirst = new Set<string>(["conclusion", "report", "deictic", "narration"]);
  for (const [cue, words] of Object.entries({ ...ELSEWHERE, ...AT_START }))
    cues[cue as Cue] = alsoIn(ENGLISH[cue as Cue], words, isFirst.has(cue));
  return cues;
}
