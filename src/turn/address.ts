/** Recognises words of a prompt that address the agent. Each pattern is matched against a text of bounded length. */

/** Maximum length of a text that addresses the agent, and of its first and last sentences to examine. */
const ADDRESS_CHARS = 500;
/** Maximum length of a request for another form of a text. */
const RENDER_CHARS = 120;

/** Filler words before the actual start of a sentence, and their maximum number. */
const FILLER =
  /^(?:ok(?:ay)?|so|now|and|but|anyway|also|well|right|hm+|lol|thx|thanks|then|hey|quick question|just|please|pls|bitte|por favor)\b[,.:;!?… —-]{0,8}/i;
const FILLERS = 4;
const QUESTION = /[?？](?:["”»）)\]]*)(?:\s|$)/;
/** The start of a question without a question mark. "When" and "if" are missing, because they also begin rules. */
const ASKS =
  /^(?:what(?:['’]s)?|which|who|why|how|is|are|does|do|did|can|could|would|any(?:thing)?|was|wie|warum|welche[rs]?|quel(?:le)?s?|comment|pourquoi|qué|cuál|cómo|por qué) [^.:]{3,160}$/i;
/** The start of a request. */
const REQUESTS =
  /^(?:explain|summari[sz]e|translate|estimate|write|turn|make|count|sort|draft|check|look|find|fix|continue|give|list|tell|show|compare|convert|format|strip|cut|rewrite|rephrase|reword|shorten|review|implement|answer|reply|extract|classify|spell ?check|proof-?read|correct|help|describe|debug|investigate|reproduce|create|generate|search|grep|read|see|open|draw|group|rank|highlight|identify|evaluate|triage|calculate|tl;?dr|quiero|dame|explica|traduce|resume|haz|explique|traduis|résume|donne|fais|übersetz\w*|erklär\w*|fass\w*|prüf\w*|schreib\w*|mach\w*|zeig\w*|gib)(?![\p{L}’'-])/iu;
const REQUESTS_ELSEWHERE =
  /\b(?:please|pls)\W*$|(?:ください|して|下さい|해\s?줘|해\s?주세요)[。.!！]?$|^(?:请|請|帮我)/i;
/** Words that set a rule: a paragraph with them may be anybody's. */
const RULES = /\b(?:must|shall|never|always|have to|has to|mandatory|required|forbidden|from now on)\b/i;

/** Tells whether a paragraph or a line puts a question or a request to the agent, and sets no rule. */
export function addressesAgent(given: string): boolean {
  const text = given.trim();
  if (text === "" || text.length > ADDRESS_CHARS) return false;
  if (text.split(/(?<=[.!?])\s/).some((sentence) => !sentence.endsWith("?") && RULES.test(sentence)))
    return false;
  const start = withoutFillers(text);
  if (text.length <= RENDER_CHARS && RENDERS.test(text)) return true;
  return QUESTION.test(text) || ASKS.test(start) || REQUESTS.test(start) || REQUESTS_ELSEWHERE.test(text);
}

function withoutFillers(text: string): string {
  let start = text;
  for (let at = 0; at < FILLERS; at++) start = start.replace(FILLER, "");
  return start;
}

/** A request for another form of a text: its translation, its summary, its correction. */
export const RENDERS =
  /\b(?:translat(?:e|ion)|summari[sz]e|sum(?:s|med)? up|summary of (?:this|that|it)|tl;?dr|shorten|rephrase|reword|rewrite|paraphrase|proof-?read|spell(?:ing)?.?check|(?:fix|correct) (?:the |its )?(?:spelling|grammar|typos)|format (?:this|that|these|it|them)|convert|turn [^.?!\n]{1,40} into|make (?:me )?(?:a |an )?[\w ]{1,30} (?:of|from|out of) (?:it|this|that|them|these)\b|(?:make|write) (?:this|that|it|these|them) (?:shorter|clearer|more)|(?:in|into|to|like) (?:plain|simple|natural|good|better|proper) (?:words|english|terms)|(?:in|into|to) (?:english|german|french|spanish|italian|dutch|portuguese|japanese|chinese|korean|polish|russian)|strip the|transcribe|key points|main points|gist of|as bullet points|readable|legible|clean (?:it |this |that )?up)\b|^(?:english|german|french|spanish)(?: please)?\W*$|übersetz|zusammenfass|zusammen[.?!:]|auf (?:deutsch|englisch)|daraus|tradui[st]|résume|en (?:anglais|français)|traduc|resúm|resumi|resumen|(?:en|al?) (?:inglés|español)|tradur|traduz|перевед|翻訳|翻译|译成|英語[にで]|日本語に|要約|总结|번역|요약/i;

/** A request for another form of something outside the prompt: the code, the docs, the user interface. */
const OF_THE_PROJECT =
  /\b(?:translate|convert|rewrite|rephrase|reword|clean up|turn|format|correct|fix|summari[sz]e)\s+(?:(?:the|its) (?:spelling|grammar|typos) (?:in|of) )?(?:the|our|my|all|every|each)\s+(?!(?:\w+ ){0,2}(?:text|e-?mail|mail|message|above|below|following|paragraph|table|list|notes?|minutes|ticket|issue|thread|post|comment|review|letter|article|page|quote|passage|section|snippet|csv|json|output|log|transcript|slides?|summary|reply|answer)\b)/i;

/** Tells whether words ask for another form of a text of the prompt. */
export function rendersText(text: string): boolean {
  return RENDERS.test(text) && !rendersProject(text);
}

/** Tells whether words ask for another form of something outside the prompt. */
export function rendersProject(text: string): boolean {
  return OF_THE_PROJECT.test(text);
}

/** Words that point at a text, in a question or a request. */
const POINTS =
  /[?？]|\b(?:this|that|these|those|it|they|them|their|there|he|she|his|her|above|below|following)\b/i;
/** Maximum words of a request that is meaningless without a text: "explain", "your opinion". */
const BARE_WORDS = 2;

/** Verbs of commands that only the agent can follow. */
const COMMANDS =
  "rename|move|remove|delete|add|update|change|replace|drop|extract|split|merge|refactor|revert|install|bump|commit|push|implement|build|make|fix";
const COMMANDS_AGENT = new RegExp(String.raw`^(?:${COMMANDS})\b`, "i");

/** The start of a clause in which a person speaks of themselves, or tells the agent what to do and what not. */
export const SPEAKS = new RegExp(
  String.raw`(?:^|[.!?:;,](?=\s)|\n)\s{0,8}(?:(?:[-*+•]|\d{1,3}[.)]|[a-z][.)])\s{1,4})?(?:and |but |so |then |ok |yes,? )?(?:we|our|my|me|I|I['’]\w+|let['’]s|please|you|no|nothing|none|yes|ok|not|never|always|only|do|don['’]t|to|because|instead|rather|stop|use|keep|put|write|run|call|show|set|${COMMANDS}|wir|ich|kein\w*|nicht|nie|bitte|nous|je|on|pas|ne|nada|nunca|nosotros)\b|不要|别|请`,
  "i",
);

/** Tells whether a line tells the agent to do something. */
export function commandsAgent(line: string): boolean {
  return COMMANDS_AGENT.test(withoutFillers(line.trim())) && !RULES.test(line);
}

/** Tells whether words that address the agent are about another text of the prompt. */
export function pointsAtText(text: string): boolean {
  return rendersText(text) || POINTS.test(text) || text.trim().split(/\s+/).length <= BARE_WORDS;
}

/** Words in which a person states what they want. */
export const OWN_WILL =
  /\b(?:I (?:really |also |just |do not |don['’]t )?(?:want|like|decided|prefer|need|would|think|mean|made up|hold|own|said)|I['’](?:d|m|ll|ve)|my (?:ruling|decision)|(?<!\b(?:do|did|can|could|would|should|will) )you (?:propose|suggest)(?:e?d)?|let['’]s|please remember|ich (?:will|möchte|habe)|wir (?:machen|nehmen)|je (?:veux|préfère)|quiero|prefiero)\b| 것\.?(?:\s|$)|기로 (?:했|하)|생각을 바꿨|我(?:要|想|决定)|ことにし/i;

/** The start of a paragraph after a pasted text in which the person speaks of it without asking anything. */
const RESUMES =
  /^(?:(?:fix|implement|summari[sz]e|draft|investigate|explain|debug|address|handle|answer|reply to|look into|check|review|ignore|triage|evaluate|apply|follow|don['’]t (?:do|follow|run|apply|change)|do not (?:do|follow|run|apply|change)) (?:this|that|it|these|those|them|the (?:above|mail|e-?mail|ticket|issue|thread|page|log|message|quote|comment|review|customer|text|error|bug)|what|his|her|their)\b|(?:can|could|would) you (?:please )?(?:fix|look|check|implement|summar|draft|write|explain|translate|review|debug|find|figure|help|tell|answer|reply|make|add|investigate|take|see|update|do this|handle|confirm|try)|what (?:do you (?:think|make)|should (?:we|i)|does (?:this|that|it|he|she)|is (?:this|that|going)|would you)|is (?:this|that|he|she) (?:right|true|correct|so|safe|ok)|why (?:is|does|do|did) (?:this|that|it)|how (?:do|should|can|would) (?:we|i) |any idea|thoughts|(?:that|this)(?:['’]s| is| was) (?:wrong|not (?:how|what|our|right|true)|the (?:mail|e-?mail|ticket|issue|thread|page|log|error|bug|message|text|comment|review))|(?:no, |nope, )?(?:we|i)(?: will not| won['’]t| do not| don['’]t|['’]ll not| are not| disagree| am not| reject|['’]re not|['’]m not)\b|not (?:for us|here|in this)\b|for us\b|(?:the |above |everything )?above\b|end of (?:the )?(?:mail|e-?mail|ticket|paste|quote|message|log|thread)|back to)/i;

/** How a person refuses what a text demands. */
const REFUSES = /^(?:no\b|nope\b|not\b|(?:we|i)\b.{0,12}(?:not|n['’]t|disagree|reject)\b|for us\b)/i;

/**
 * Tells whether a paragraph after a pasted text speaks of it, or to the agent, wherever the paragraph is. One that sets a rule may as
 * well be of that text, unless it refuses.
 */
export function resumesOwnWords(text: string): boolean {
  const start = withoutFillers(text.slice(0, ADDRESS_CHARS));
  return RESUMES.test(start) && (REFUSES.test(start) || !RULES.test(start));
}
