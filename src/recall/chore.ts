import { addLanguages } from "../text/languages.ts";
import { LETTERS_PER_WORD, UNSPACED } from "../text/scripts.ts";

const CHORE = addLanguages(
  /\b(?:commit|push|rebase|merge|pull request|\bpr\b|branch|stash|cherry[- ]pick|changelog|release|tag|deploy|lint|run (?:the )?tests?|format|clean ?up|restart|checkout|worktree|squash|amend|ci)\b/gi,
  {
    words:
      "commite|committe|committen|pushe|pushen|mergen|rebasen|fusionne[rz]?|pousse[rz]?|déploie|déployer|fusiona|fusionar|sube|despliega|desplegar|commita|commitar|commite|mescla|mesclar|faça o deploy|закоммить|коммит|запушь|пуш|смержи|слей|задеплой|деплой|релиз|(?:führe?|lass|starte) (?:(?:die|alle) )?tests?|tests? (?:ausführen|laufen lassen)|(?:lance|exécute)[rz]? (?:tous )?(?:les )?tests|(?:ejecuta|corre)r? (?:todas )?(?:las |los )?(?:pruebas|tests)|(?:execute|executa|rode|roda)r? (?:todos )?(?:os )?testes|(?:запусти|прогони)(?:ть)? (?:все )?тесты",
    parts:
      "테스트(?:를|들을)? ?(?:실행|돌려)|テストを?(?:実行|回し|走らせ)|(?:运行|跑)(?:一下|所有)?测试|커밋|푸시|머지|머지큐|리베이스|브랜치|배포|릴리스|태그|린트|コミット|プッシュ|マージ|リベース|ブランチ|デプロイ|リリース|提交|推送|合并|合併|变基|分支|部署|发布|标签",
  },
);

/** Returns the share of a prompt that is about version control, tests and releases, 0 to 1. */
export function choreShare(prompt: string): number {
  const words = wordCount(prompt);
  return Math.min(1, (3 * (prompt.match(CHORE)?.length ?? 0)) / (words + 2));
}

const LETTER = new RegExp(`[${UNSPACED}]`, "gu");

/** Counts words between spaces, and in scripts without spaces by letters. */
function wordCount(text: string): number {
  const letters = text.match(LETTER)?.length ?? 0;
  return Math.max(1, text.split(/\s+/).length, Math.ceil(letters / LETTERS_PER_WORD));
}
