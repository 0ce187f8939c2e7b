/** Languages that spaces may have, as people who read English call them. */
const CODES = ["ar", "bg", "cs", "da", "de", "el", "en", "es", "et", "fi", "fr", "he", "hi", "hr", "hu", "id", "it", "ja", "ko", "lt", "lv", "ms", "nl", "no", "pl", "pt", "pt-br", "ro", "ru", "sk", "sl", "sv", "th", "tr", "uk", "vi", "yue", "zh", "zh-tw"];
const names = new Intl.DisplayNames("en", { type: "language" });

export const languageName = (code: string): string => names.of(code) ?? code;
export const LANGUAGES = CODES.map((value) => ({ value, words: languageName(value) })).sort((a, b) => a.words.localeCompare(b.words, "en"));
