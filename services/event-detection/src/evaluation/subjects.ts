import type { ReadingDb } from '@icosa/kernel'
import { type AlarmModelSource, compileAlarm } from '../alarms/compile.ts'
import { compile, type DetectorModelSource } from '../engine/compile.ts'
import { type AlarmRules, alarmRules, type DetectorRules, detectorRules } from './subject.ts'
import { definitionOf, load, type ModelRow } from './subject-store.ts'

/** A current, compiled model. */
export type Subject = DetectorSubject | AlarmSubject
export interface DetectorSubject extends ModelRow {
  readonly kind: 'detector'
  readonly rules: DetectorRules
}
export interface AlarmSubject extends ModelRow {
  readonly kind: 'alarm'
  readonly rules: AlarmRules
}

const maxCached = 2_000

/** Finds models by id and generation. Caches compiled ones: a generation never changes. */
export function subjects() {
  const compiled = new Map<string, Pick<Subject, 'kind' | 'rules'>>()

  async function compiledOf(db: ReadingDb, row: ModelRow): Promise<Pick<Subject, 'kind' | 'rules'>> {
    const cached = compiled.get(row.generation)
    if (cached) return cached
    const fresh = compileModel(row, await definitionOf(db, row))
    if (compiled.size >= maxCached) compiled.clear()
    compiled.set(row.generation, fresh)
    return fresh
  }

  return async (db: ReadingDb, ids: readonly string[], generations: readonly string[] = []): Promise<Subject[]> => {
    const list: Subject[] = []
    for (const row of await load(db, ids, generations)) list.push({ ...row, ...(await compiledOf(db, row)) } as Subject) // a compiled model has the kind of its row
    return list
  }
}
export type Subjects = ReturnType<typeof subjects>

function compileModel({ kind, name, version: number }: ModelRow, definition: unknown): Pick<Subject, 'kind' | 'rules'> {
  const version = String(number)
  if (kind === 'detector') {
    const source = definition as Omit<DetectorModelSource, 'detectorModelName' | 'detectorModelVersion'>
    return {
      kind,
      rules: detectorRules(compile({ ...source, detectorModelName: name, detectorModelVersion: version })),
    }
  }
  const source = definition as Omit<AlarmModelSource, 'alarmModelName' | 'alarmModelVersion'>
  return { kind, rules: alarmRules(compileAlarm({ ...source, alarmModelName: name, alarmModelVersion: version })) }
}
