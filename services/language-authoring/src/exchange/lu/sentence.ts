import type { Label } from '../../engine/document.ts'
import { badArgument } from '../../shapes/failures.ts'
import type { Draft } from './define.ts'

/** A sentence with entities without values, or with optional parts, is a pattern. */
export function isPattern(sentence: string): boolean {
  const plain = sentence.replaceAll(/\\./g, '')
  if (/\{[^{}=]*=/.test(plain)) return false
  return /\{@?[^{}=]+\}/.test(plain) || /\[[^[\]]+\]/.test(plain) || hasChoice(plain)
}

/** Whether there is a `|` in parentheses. In one pass, since a regular expression could backtrack for very long. */
function hasChoice(text: string): boolean {
  let sawBar = false
  let isOpen = false
  for (const letter of text) {
    if (letter === '(') [isOpen, sawBar] = [true, false]
    else if (letter === '|') sawBar = isOpen
    else if (letter === ')') {
      if (sawBar) return true
      isOpen = false
    }
  }
  return false
}

/** Parses a sentence with nested labels: `{@City=Oslo}`, `{City:from=Oslo}`. */
export function readSentence(draft: Draft, intent: string, sentence: string, line: number): void {
  if (isPattern(sentence)) {
    draft.patterns.push({ pattern: sentence.replaceAll('{@', '{'), intent })
    return
  }
  let text = ''
  const top: Label[] = []
  const open: Label[] = []
  for (let at = 0; at < sentence.length; at++) {
    const letter = sentence[at] as string
    const [begin, name, role] = (letter === '{' && /^\{@?([^{}=:]+)(?::([^{}=]+))?=\s*/.exec(sentence.slice(at))) || []
    if (begin !== undefined) {
      open.push({
        entity: (name as string).trim(),
        startPos: text.length,
        endPos: 0,
        ...(role && { role: role.trim() }),
      })
      at += begin.length - 1
    } else if (letter === '}' && open.length > 0) {
      const label = open.pop() as Label
      label.endPos = text.trimEnd().length - 1
      const parent = open.at(-1)
      if (parent) parent.children = [...(parent.children ?? []), label]
      else top.push(label)
    } else text += letter === '\\' && at + 1 < sentence.length ? sentence[++at] : letter
  }
  if (open.length > 0) badArgument(`Line ${line} has a '{' without a '}'.`)
  draft.utterances.push({ text, intent, entities: top })
}
