import type { Hit } from '../hits/hit.ts'
import type { Token } from '../text/tokens.ts'

/** Features of a token for the tagger: words, neighbours, shape, and hits. */
export function tokenFeatures(
  tokens: readonly Token[],
  hits: readonly Hit[],
  more: readonly (readonly string[])[] = [],
): string[][] {
  const hitsByToken = tokens.map((token) => hitNames(token, hits))
  return tokens.map((token, i) => {
    const names: string[] = ['1']
    const { normal } = token
    const word = (offset: number): string => {
      const at = i + offset
      return at < 0 ? '^' : at >= tokens.length ? '$' : masked(tokens[at]?.normal ?? '')
    }
    names.push(`w ${word(0)}`, `-1 ${word(-1)}`, `+1 ${word(1)}`, `-2 ${word(-2)}`, `+2 ${word(2)}`)
    names.push(
      `-1,0 ${word(-1)} ${word(0)}`,
      `0,+1 ${word(0)} ${word(1)}`,
      `-2,-1 ${word(-2)} ${word(-1)}`,
      `+1,+2 ${word(1)} ${word(2)}`,
    )
    names.push(`-1+1 ${word(-1)} ${word(1)}`)
    for (let n = 1; n <= 4 && n < normal.length; n++) names.push(`p ${normal.slice(0, n)}`, `s ${normal.slice(-n)}`)
    names.push(
      `f ${shape(token.text)}`,
      `f-1 ${shape(tokens[i - 1]?.text ?? '^')}`,
      `f+1 ${shape(tokens[i + 1]?.text ?? '$')}`,
    )
    for (const name of hitsByToken[i] ?? []) names.push(`h ${name}`, `h,-1 ${name} ${word(-1)}`)
    for (const name of hitsByToken[i - 1] ?? []) names.push(`h-1 ${name}`)
    for (const name of hitsByToken[i + 1] ?? []) names.push(`h+1 ${name}`)
    for (const name of more[i] ?? []) names.push(`m ${name}`)
    for (const name of more[i - 1] ?? []) names.push(`m-1 ${name}`)
    for (const name of more[i + 1] ?? []) names.push(`m+1 ${name}`)
    return names
  })
}

const masked = (normal: string): string => normal.replace(/\p{N}/gu, '0')

function hitNames(token: Token, hits: readonly Hit[]): string[] {
  const names: string[] = []
  for (const hit of hits) {
    if (hit.end <= token.start || hit.start >= token.end) continue
    names.push(hit.model, `${hit.model} ${hit.start >= token.start ? 'B' : 'I'}`)
  }
  return names
}

/** Word shape, as in `Aa+0+`. */
function shape(text: string): string {
  return text
    .replace(/\p{Lu}/gu, 'A')
    .replace(/\p{L}/gu, 'a')
    .replace(/\p{N}/gu, '0')
    .replace(/(.)\1+/gu, '$1+')
}
