export { keywordText } from "../../text/keywords.ts";
