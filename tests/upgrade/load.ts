import { setTimeout as sleep } from 'node:timers/promises'
import { signedFetch } from '@icosa/dialects/signed/fetch'
import { expect } from 'vitest'
import type { Running } from './cell.ts'

const api = 'api-version=2019-11-01-preview'
const group = '/subscriptions/mine/resourceGroups/web/providers'
const stores = `${group}/Vendor.AppConfiguration/configurationStores`
const database = `${group}/Vendor.Sql/servers/eu/databases/orders`
const IamRoleArn = 'arn:aws:iam::123456789012:role/any'

export interface Credentials {
  readonly key: string
  readonly id: string
  readonly secret: string
}

/** Callers that create stores, write settings and back up a database on any ready node, without retries. */
export class Load {
  readonly failures: string[] = []
  requests = 0
  /** Requested stores and backups. */
  readonly stores: string[] = []
  readonly backups: string[] = []
  readonly #nodes: () => readonly Running[]
  readonly #key: string
  readonly #signed: typeof fetch
  #runs = true
  readonly #callers: Promise<void>[] = []

  constructor(nodes: () => readonly Running[], { key, id, secret }: Credentials) {
    this.#nodes = nodes
    this.#key = key
    this.#signed = signedFetch({ id, secret, region: 'us-east-1', service: 'backup' })
  }

  async ask(service: string, method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const ready = this.#nodes().filter(({ isReady }) => isReady)
    const { url = '' } = ready[this.requests++ % ready.length] ?? {}
    const isSigned = service === 'backup'
    const answer = await (isSigned ? this.#signed : fetch)(`${url}/${service}${path}`, {
      method,
      headers: {
        ...(!isSigned && { authorization: `Bearer ${this.#key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${service}${path} ${answer.status} ${text}`)
    return text === '' ? {} : JSON.parse(text)
  }

  async makeStore(name: string): Promise<void> {
    await this.ask('configuration-stores', 'PUT', `${stores}/${name}?${api}`, {
      location: 'here',
      sku: { name: 'Standard' },
    })
    this.stores.push(name)
  }

  async stateOfStore(name: string): Promise<unknown> {
    const { properties } = await this.ask('configuration-stores', 'GET', `${stores}/${name}?${api}`)
    return (properties as { provisioningState: string }).provisioningState
  }

  /** Creates the database to back up, and its vault. */
  async makeDatabase(): Promise<void> {
    const at = `${database}?api-version=2017-10-01-preview`
    await this.ask('sql-databases', 'PUT', at, { location: 'westeurope', sku: { name: 'S0' } })
    const statusOf = async () =>
      ((await this.ask('sql-databases', 'GET', at)).properties as { readonly status: string }).status
    await expect.poll(statusOf).toBe('Online')
    await this.ask('backup', 'PUT', '/backup-vaults/daily', {})
  }

  async backUp(): Promise<string> {
    const body = { BackupVaultName: 'daily', IamRoleArn, ResourceArn: database }
    const { BackupJobId } = await this.ask('backup', 'PUT', '/backup-jobs', body)
    this.backups.push(BackupJobId as string)
    return BackupJobId as string
  }

  async stateOfBackup(id: string): Promise<{ readonly State?: string; readonly StatusMessage?: string }> {
    return this.ask('backup', 'GET', `/backup-jobs/${id}`)
  }

  begin(store: string): void {
    const forEver = (work: (turn: number) => Promise<unknown>) => {
      const caller = async () => {
        for (let turn = 0; this.#runs; turn++)
          await work(turn).catch((error: Error) => this.failures.push(`${error.message} ${error.cause ?? ''}`))
      }
      this.#callers.push(caller())
    }
    forEver((turn) => this.makeStore(`made-meanwhile-${turn}`).then(() => sleep(100)))
    for (const name of ['red', 'green'])
      forEver(async (turn) => {
        const at = `/stores/${store}/kv/${name}?api-version=1.0`
        await this.ask('configuration-stores', 'PUT', at, { value: String(turn) })
        const { value } = await this.ask('configuration-stores', 'GET', at)
        if (value !== String(turn)) throw new Error(`${name} is ${value}, and not ${turn} as it was set to`)
      })
    forEver(async () => {
      const id = await this.backUp()
      while (this.#runs && !/COMPLETED|FAILED|ABORTED/.test((await this.stateOfBackup(id)).State ?? ''))
        await sleep(200)
    })
  }

  async end(): Promise<void> {
    this.#runs = false
    await Promise.all(this.#callers)
  }
}
