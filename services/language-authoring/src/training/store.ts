import { type Db, type ReadingDb, sql } from '@icosa/kernel'

export async function request(db: Db, tenant: string, uid: string): Promise<void> {
  await db.run(sql`
    update language_authoring.versions set training_status = 'queued', training_failure = null
    where tenant = ${tenant} and uid = ${uid}`)
}

export async function begin(db: Db, tenant: string, uid: string): Promise<void> {
  await db.run(sql`
    update language_authoring.versions set training_status = 'running' where tenant = ${tenant} and uid = ${uid}`)
}

export interface Trained {
  readonly model: string
  readonly revision: string
  readonly examples: number
  readonly now: Date
}

/** Returns false if the version was deleted. */
export async function succeed(db: Db, tenant: string, uid: string, trained: Trained): Promise<boolean> {
  const { model, revision, examples, now } = trained
  const count = await db.run(sql`
    update language_authoring.versions set model = ${model}, trained_revision = ${revision},
      trained_examples = ${examples}, trained_at = ${now}, training_failure = null,
      training_status = case when training_status = 'queued' then 'queued' else 'succeeded' end
    where tenant = ${tenant} and uid = ${uid}`)
  return count === 1
}

export async function fail(db: Db, tenant: string, uid: string, message: string): Promise<void> {
  await db.run(sql`
    update language_authoring.versions set training_status = 'failed', training_failure = ${message}
    where tenant = ${tenant} and uid = ${uid}`)
}

/** Whether a training of the app is queued or running. */
export async function isTraining(db: ReadingDb, tenant: string, app: string): Promise<boolean> {
  const row = await db.maybe(sql`
    select 1 from language_authoring.versions
    where tenant = ${tenant} and app = ${app} and training_status in ('queued', 'running') limit 1`)
  return row !== undefined
}
