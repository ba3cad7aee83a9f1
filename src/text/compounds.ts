import { lazily } from "../lazily.ts";

/**
 * German words of which others are made, as they are compared: `folded`. None of them starts or ends a longer English word,
 * so that English texts have the keywords that they have without this table.
 */
const PARTS = [
  "abfrage abhangigkeit ablauf abschnitt abmeldung absturz anbindung anderung anfrage anmeldung ansicht antwort anweisung anwendung anzeige",
  "aufgabe aufruf ausdruck ausfuhrung ausgabe auswahl auswertung bedingung befehl benutzer berechnung berechtigung bereich bericht",
  "beschreibung bibliothek bildschirm datei dateien daten datenbank dienst eigenschaft eingabe einstellung einstellungen eintrag ereignis ergebnis",
  "fehler fenster funktion gedachtnis gerat gesprach grenze hinweis kennung kennwort konfiguration knoten leiste leitung losung loschung",
  "meldung nachricht netzwerk nutzer oberflache ordner passwort pfad platz prufung quelle rechner regel reihenfolge schaltflache schicht",
  "schleife schlussel schnittstelle schreib sicherung sitzung spalte speicher sperre sprache suche tabelle testfall treffer ubersetzung",
  "uberprufung umgebung unterschied ursache verbindung vergleich verlauf verschlusselung verwaltung verzeichnis vorlage vorschau warteschlange",
  "werkzeug wiederherstellung zahler zeichen zeiger zeile zeilen zugriff zusammenfassung zweig",
]
  .join(" ")
  .split(" ");

/** An `s` that joins two words, as in `Sitzungsdatei`, belongs to neither. Made for the first long word. */
const ends = lazily(() => {
  const parts = PARTS.toSorted((a, b) => b.length - a.length).join("|");
  return {
    first: new RegExp(`^(${parts})(?:(?<=ung|ion|heit|keit)s)?`),
    last: new RegExp(`(?:(?<=ung|ion|heit|keit|schaft|tat|ling|ent)s)?(${parts})$`),
  };
});
/** The shortest part with the shortest rest. */
const MIN_LENGTH = 8;
/** Shorter rests are endings. */
const MIN_REST = 4;

/** Returns the words that a German word is made of, as far as one is in the table; none for others. Takes a folded word. */
export function compoundParts(word: string): string[] {
  if (word.length < MIN_LENGTH) return [];
  const last = ends().last.exec(word);
  if (last !== null && last.index >= MIN_REST) return [word.slice(0, last.index), last[1] ?? ""];
  const first = ends().first.exec(word);
  const rest = word.slice(first?.[0].length ?? word.length);
  return rest.length < MIN_REST ? [] : [first?.[1] ?? "", rest];
}

/** Common words of German; two of them are in nearly every text of some sentences, and hardly in an English one. */
const GERMAN_WORDS = [
  " und ",
  " nicht ",
  " ist ",
  " wird ",
  " eine ",
  " auf ",
  " mit ",
  " für ",
  " das ",
  " der ",
];

/** Whether a text seems to be German. Costs less than to look at its words. */
export function looksGerman(text: string): boolean {
  return GERMAN_WORDS.filter((word) => text.includes(word)).length >= 2;
}
