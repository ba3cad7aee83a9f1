import { lazily } from "../lazily.ts";

/** The most frequent words of each language, which say nothing about the topic of a text. */
const BY_LANGUAGE = [
  // English
  "a about after again all also am an and any are aren't as at be because been before being but by can can't could couldn't did didn't do does doesn't doing don't done down each few for from further get gets got had has hasn't have haven't having he her here hers him his how i i'd i'll i'm i've if in into is isn't it it's its itself just let let's like make me more most my myself no nor not now of off on once only or other our ours out over own please same she should shouldn't so some such than that that's the their theirs them then there there's these they this those through to too under until up us very was wasn't we we're were weren't what what's when where which while who whom why will with won't would wouldn't yes yet you you're your yours",
  // German
  "aber als am an auch auf aus bei bin bis bist da damit dann das dass dem den der des die dies diese dieser dieses doch du durch ein eine einem einen einer eines er es für hat habe haben hatte ich ihr im in ist ja jetzt kann können mein mit muss nach nicht noch nur ob oder schon sehr sich sie sind so soll über um und uns vom von vor war warum was wenn werden wie wieder wir wird wo zu zum zur",
  // French
  "ai au aux avec ce ces cette comme dans de des du elle en est et être il ils je la le les leur lui mais me mes mon ne nous on ou où par pas plus pour pourquoi qu que quel quelle qui sa se ses son sont sur ta te tes ton tu un une vous",
  // Spanish and Portuguese
  "al como con cuando de del donde el ella en eres es esta está este esto ha hay la las le lo los más me mi muy no nos o para pero por porque qué que se ser si sin sobre son su sus te tu un una y ya yo ao as com como da das do dos e ela ele em então essa esse eu foi isso já mas na não nas no nos os ou para pela pelo por quando quem seu sua são também tem um uma você",
  // Italian and Dutch
  "alla anche che chi ci come con cosa da dal dalla del della di dove e gli ha ho il io la le lo ma mi nel nella non per perché più quando questo se si sono su un una uno aan als bij dan dat de deze die dit door een en er had heb hebben heeft het hij hoe ik in is je kan maar met mijn naar niet nog nu of om onder ook op over te tot uit van voor waar waarom was wat we wel wij wordt ze zijn",
].join(" ");

/** Creating it would double the time of a hook that does not search. */
const stopWords = lazily(
  (): ReadonlySet<string> => new Set(BY_LANGUAGE.split(" ").flatMap((word) => [word, ...word.split("'")])),
);

/** True for a lower-case word that is too common to search for. */
export function isStopWord(word: string): boolean {
  return stopWords().has(word);
}
