import type { Content, Label } from '../content/content.ts'
import { intentNamed } from '../content/find.ts'
import { Fields } from '../exchange/fields.ts'
import { labelReader, type WrittenLabel } from '../exchange/labels.ts'
import { maxExampleLength } from '../exchange/read.ts'
import { badArgument } from '../shapes/failures.ts'
import type { SentLabel } from './contract.ts'
import type { Example } from './store.ts'

export interface Sent {
  readonly text: string
  readonly intentName?: string | null
  readonly entityLabels?: readonly SentLabel[] | null
}

function written(label: unknown, at: string): WrittenLabel {
  const fields = new Fields(label, at)
  return {
    name: fields.text('entityName'),
    start: fields.whole('startCharIndex'),
    end: fields.whole('endCharIndex'),
    ...(fields.has('role') && { role: fields.text('role') }),
    children: fields.list('children').map((child, index) => written(child, `${at}.children[${index}]`)),
    at,
  }
}

/** Labelled examples of a version, as callers send them. */
export function exampleReader(content: Content) {
  const read = labelReader(content)
  const nest = nester(content)
  return ({ text, intentName, entityLabels }: Sent): Omit<Example, 'id'> => {
    if (text.trim() === '') badArgument('The text is empty.')
    if (text.length > maxExampleLength) badArgument(`The text has more than ${maxExampleLength} characters.`)
    if (!intentName) badArgument('intentName is missing.')
    const intent = intentNamed(content, intentName) ?? badArgument(`There is no intent '${intentName}'.`)
    const labels = (entityLabels ?? []).map((label, index) => written(label, `entityLabels[${index}]`))
    return { text, intent: intent.id, labels: nest(read(labels, text)) }
  }
}

/** Puts labels of parts that stand beside those of the whole into them. */
function nester({ models }: Content) {
  const parents = new Map<string, { readonly id: string; readonly name: string }>()
  const note = (parent: { id: string; name: string; children: Content['models'][number]['children'] }) => {
    for (const child of parent.children) {
      parents.set(child.id, parent)
      note(child)
    }
  }
  for (const model of models) if (model.kind === 'entity') note(model)

  type Open = { -readonly [K in keyof Label]: Label[K] } & { children?: Open[] }
  return (labels: readonly Label[]): Label[] => {
    const open = structuredClone(labels) as Open[]
    const flat: Open[] = []
    const collect = (all: readonly Open[]) => {
      for (const label of all) {
        flat.push(label)
        collect(label.children ?? [])
      }
    }
    collect(open)
    return open.filter((label) => {
      const parent = parents.get(label.model)
      if (!parent) return true
      const whole = flat.find(
        ({ model, start, end }) => model === parent.id && start <= label.start && end >= label.end,
      )
      if (!whole) return badArgument(`A part is labelled, but not the '${parent.name}' around it.`)
      whole.children = [...(whole.children ?? []), label]
      return false
    })
  }
}
