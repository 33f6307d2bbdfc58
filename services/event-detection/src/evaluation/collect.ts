import type { Db } from '@icosa/kernel'
import { type InstanceKey, type LockedInstance, lock } from '../instances/store.ts'
import type { Subject, Subjects } from './subjects.ts'
import type { LocatedMessage } from './work.ts'

/** An instance with its queued messages. */
export interface PendingInstance {
  readonly subject: Subject
  readonly key: string
  /** Undefined if the first message creates it. */
  instance: LockedInstance | undefined
  readonly messages: LocatedMessage[]
}

export interface Collected {
  readonly pending: readonly PendingInstance[]
  /** Instances of deleted models. */
  readonly orphans: readonly InstanceKey[]
}

/** Locks the instances that messages are addressed to, and adds those with expired timers. */
export async function collect(
  db: Db,
  subjects: Subjects,
  messages: readonly LocatedMessage[],
  due: readonly LockedInstance[],
): Promise<Collected> {
  const current = await subjects(
    db,
    distinct(messages.map(({ modelId }) => modelId)),
    distinct(due.map(({ generation }) => generation)),
  )
  const byId = new Map(current.map((subject) => [subject.id, subject]))
  const byGeneration = new Map(current.map((subject) => [subject.generation, subject]))
  const pending = new Map<string, PendingInstance>()
  for (const instance of due) {
    const subject = byGeneration.get(instance.generation)
    if (subject) pending.set(nameOf(instance), { subject, key: instance.key, instance, messages: [] })
  }
  for (const message of messages) {
    const subject = byId.get(message.modelId)
    if (!subject) continue
    const { key } = message
    const name = nameOf({ generation: subject.generation, key })
    const entry = pending.get(name)
    if (entry) entry.messages.push(message)
    else pending.set(name, { subject, key, instance: undefined, messages: [message] })
  }
  const others = [...pending.values()].filter(({ instance }) => !instance).map(keyOf)
  for (const instance of await lock(db, others)) {
    const entry = pending.get(nameOf(instance))
    if (entry) entry.instance = instance
  }
  return { pending: [...pending.values()], orphans: due.filter(({ generation }) => !byGeneration.has(generation)) }
}

const distinct = (values: readonly string[]) => [...new Set(values)]
const nameOf = ({ generation, key }: Pick<InstanceKey, 'generation' | 'key'>) => `${generation} ${key}`
const keyOf = ({ subject: { tenant, generation }, key }: PendingInstance): InstanceKey => ({ tenant, generation, key })
