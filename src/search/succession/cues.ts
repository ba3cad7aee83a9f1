/** Words by which developers say that something took the place of something else. */
const CHANGE =
  /\b(?:no longer|not .{1,20} any ?more|any ?more|instead|in (?:the )?place of|in favou?r of|rather than|replac\w+|took over|takes over|switch(?:ed|ing)?(?: \w+)? (?:to|from|over|off)|(?:went|going|gone) over to|went to|mov(?:ed|ing|e) (?:\w+ ){0,3}(?:to|from|off|away|over|into|onto)|migrat\w+|swap(?:s|ped|ping)?|port(?:ed|ing)|convert(?:ed|ing)|drop(?:s|ped|ping)|retir(?:ed|ing)|deprecat\w+|(?:got|get|gets|getting) rid of|rip(?:s|ped)? out|gone|obsolete|supersed\w+|revert\w*|roll(?:ed|ing)? back|sunset|decommission\w*|phas(?:ed|ing) out|renam\w+|outgr[eo]w\w*|used to|formerly|previously|until (?:now|recently)|up to now|from (?:now|here|today|then) on|as of|since (?:today|this|then|noon|build|version|sprint|release|the)|these days|chang(?:ed|es|ing) (?:\w+ ){0,4}(?:from|to|into)|shorten\w*|lengthen\w*|rais(?:ed|ing)|lower(?:ed|ing)|bump\w*|increas(?:ed|ing)|reduc(?:ed|ing)|tighten\w*|relax(?:ed|ing)|doubl(?:ed|ing)|halv(?:ed|ing)|delet(?:ed|ing)|shut ?down|turned off|rewr[io]t\w*|(?:took|taken|take|threw|thrown) (?:\w+ ){0,3}out|we left|the old|on second thought|never ?mind|scratch that|changed (?:our|my) minds?|after all|overrul\w+|reconsider\w*)\b|→|->/i;

/** Weaker ones: a fact may be new without an older one. */
const NOW = /\b(?<!for )(?:now|today|currently|meanwhile|these days|already|since|it is|is set|set)\b/i;

/** How far from a mention its words are looked for, UTF-16 units. */
const REACH = 60;

/** What stands before the name of a thing that is no more in use. */
const ENDED_BEFORE =
  /(?:\b(?:no longer|instead of|rather than|in (?:the )?place of|in favou?r of|replac(?:ed?|es|ing)(?! by| with)|drop(?:s|ped|ping)?|remov\w+|delet\w+|rid of|retir\w+|(?:mov|migrat|switch|port|convert|chang|went|go|chang|rais|lower|bump|increas|reduc|shorten|drop)\w* (?:\w+ ){0,3}from|away from|off|without|isn't|wasn't|the old|the last|the former|previous(?:ly)?|used to|port(?:ed|ing)|swap(?:s|ped|ping)?|took|take|out of|left|leave|leaving|quit|ditch\w*|abandon\w*|stop\w*|kill\w*|than)|n't)\s+(?:(?:the|our|its|their|a|any|use|using|of|that|all)\s+){0,3}["'`]?$/i;
/** What stands after it. */
const ENDED_AFTER =
  /^["'`]?(?:'s)?(?:\s+[\w.]+){0,3}?\s+(?:(?:is|are|was|were|has been|have been|had been|went|got|can)\s+)?(?:gone|remov\w+|dropped|deleted|retired|switched off|turned off|shut|deprecated|archived|no longer|obsolete|out of (?:the|our)|out\b|replaced|can't|cannot|couldn't|used to|had (?:let|no)|eats|until)/i;

/** True for a text with words such as "replaced", "no longer" or "moved to". */
export function holdsChange(text: string): boolean {
  return CHANGE.test(text);
}

/** True for a text that says how something is at present. */
export function holdsNow(text: string): boolean {
  return NOW.test(text);
}

/** True if the words around a mention, given by its offsets, say that the thing is no longer in use. */
export function endsUse(sentence: string, start: number, end: number): boolean {
  const before = sentence.slice(Math.max(0, start - REACH), start);
  return ENDED_BEFORE.test(before) || ENDED_AFTER.test(sentence.slice(end, end + REACH));
}
