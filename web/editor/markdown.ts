/** The Markdown of pages as the source editor colours it: with front matter, which is no heading. */
import { defineLanguageFacet, Language, languageDataProp } from "@codemirror/language";
import { styleTags, tags } from "@lezer/highlight";
import { GFM, type MarkdownConfig, parser } from "@lezer/markdown";

const FENCE = "---";

/** From the first line on, up to the line that ends it. */
const front: MarkdownConfig = {
  defineNodes: [{ name: "FrontMatter", block: true, style: tags.meta }],
  parseBlock: [
    {
      name: "FrontMatter",
      before: "LinkReference",
      parse: (block, line) => {
        if (block.lineStart !== 0 || line.text.trimEnd() !== FENCE) return false;
        while (block.nextLine()) {
          if (line.text.trimEnd() !== FENCE) continue;
          block.nextLine();
          break;
        }
        block.addElement(block.elt("FrontMatter", 0, block.prevLineEnd()));
        return true;
      },
    },
  ],
};

const data = defineLanguageFacet({ commentTokens: { block: { open: "<!--", close: "-->" } } });

export const markdown = new Language(
  data,
  parser.configure([GFM, front, { props: [languageDataProp.add((type) => (type.isTop ? data : undefined)), styleTags({ "HeaderMark QuoteMark ListMark LinkMark EmphasisMark CodeMark": tags.processingInstruction })] }]),
  [],
  "markdown",
);
