/** A fenced block of a page. `isResult`: it directly follows commands, and is the output of the last one. */
export interface Block {
  readonly kind: string
  readonly text: string
  readonly isResult: boolean
}

export function blocksOf(markdown: string): readonly Block[] {
  const fences = [...markdown.matchAll(/```(\w+)\n([\s\S]*?)```/g)]
  return fences.map(({ 1: kind = '', 2: text = '', index }, position) => {
    const above = fences[position - 1]
    const isBelowCommands = above?.[1] === 'sh' && markdown.slice(above.index + above[0].length, index).trim() === ''
    return { kind, text: text.trim(), isResult: isBelowCommands && kind !== 'sh' }
  })
}
