/** What may hold words that declare nothing: comments, texts and patterns. */
const quiet = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\.)*"/g
const declaration = /(?:^|\s)rule\s+[A-Za-z_]\w*/g

/** How many rules a source declares. */
export const countRules = (source: string) => source.replace(quiet, ' ').match(declaration)?.length ?? 0
