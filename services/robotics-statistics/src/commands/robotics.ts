import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, type Database, systemClock, virtualClock } from '@icosa/kernel'
import {
  type Arguments,
  print,
  remark,
  type ServiceArguments,
  type ServiceCommand,
  text,
  UsageError,
  whole,
} from '@icosa/module'
import type { Source } from '../import/given.ts'
import { InvalidLists } from '../import/given.ts'
import { importSeason } from '../import/import.ts'
import type { RoboticsSettings } from '../settings.ts'
import { folderSource, InvalidFolder } from '../sources/folder.ts'
import { mirroredPaths, mirrorSource, UnexpectedResponse } from '../sources/mirror.ts'
import { writeFolder } from '../sources/write.ts'
import { syntheticSeason } from '../synthetic/season.ts'
import { findRanking, rankingTable } from './watch.ts'

type CommandArguments = Arguments & ServiceArguments<RoboticsSettings>

export const robotics: ServiceCommand<RoboticsSettings> = {
  name: 'robotics',
  usage:
    'robotics import DIR | mirror --url https://host/v3.0 | generate [--events 72] [--teams 3000] [--played N] [--out DIR] | watch EVENT [--season 2026] [--tenant dev]',
  summary:
    'Import a season from a folder or from another server of the same API, generate a synthetic one, or watch the ranking of an event.',
  flags: {
    tenant: { type: 'string', default: 'dev' },
    season: { type: 'string' },
    url: { type: 'string' },
    events: { type: 'string' },
    teams: { type: 'string' },
    played: { type: 'string' },
    out: { type: 'string' },
    once: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  audited: {
    import: ['tenant', 'season'],
    mirror: ['tenant', 'season'],
    generate: ['tenant', 'season'],
    watch: false,
  },
  async run(args) {
    const action = actions[args.words[0] ?? '']
    if (!action) throw new UsageError(`Usage: icosa ${robotics.usage}`)
    try {
      await action(args)
    } catch (error) {
      const isUsageError =
        error instanceof InvalidLists || error instanceof InvalidFolder || error instanceof UnexpectedResponse
      throw isUsageError ? new UsageError(error.message) : error
    }
  },
}

const actions: Readonly<Record<string, (args: CommandArguments) => Promise<void>>> = {
  async import(args) {
    const [, folder] = args.words
    if (!folder) throw new UsageError('Which folder? icosa robotics import 2026')
    const isSeasonSet = text(args.flags, 'season') !== undefined
    const source = await folderSource(folder, isSeasonSet ? seasonOf(args) : undefined)
    await inDatabase(args, (database, tenant, clock) => runImport(args, database, tenant, clock, source))
  },

  async mirror(args) {
    const { flags, settings, openFetch } = args
    const url = text(flags, 'url')
    if (!url) throw new UsageError('From where? icosa robotics mirror --season 2026 --url https://host/v3.0')
    const season = seasonOf(args)
    const authorization = `Basic ${Buffer.from(`${settings.mirrorUser ?? ''}:${settings.mirrorKey ?? ''}`).toString('base64')}`
    const fetch = await openFetch()
    try {
      await inDatabase(args, async (database, tenant, clock) => {
        const previous = await mirroredPaths(database, tenant, season)
        const source = mirrorSource({ url, season, tenant, authorization, fetch, previous })
        await runImport(args, database, tenant, clock, source)
      })
    } finally {
      await fetch.close()
    }
  },

  async generate(args) {
    const { flags } = args
    const played = text(flags, 'played') === undefined ? {} : { played: whole(flags, 'played', 30) }
    const source = syntheticSeason({
      season: seasonOf(args),
      events: whole(flags, 'events', 72),
      teams: whole(flags, 'teams', 3_000),
      ...played,
    })
    const out = text(flags, 'out')
    remark('This season is synthetic: nobody played it, and its names say so.')
    if (out === undefined)
      return inDatabase(args, (database, tenant, clock) => runImport(args, database, tenant, clock, source))
    await writeFolder(out, source)
    print(
      `Wrote the season ${source.season} to ${out}. To import it: icosa robotics import ${out} --season ${source.season}`,
    )
  },

  async watch(args) {
    const [, event] = args.words
    if (!event) throw new UsageError('Which event? icosa robotics watch SY001')
    const season = seasonOf(args)
    await inDatabase(args, async (database, tenant) => {
      let last = -1
      for (;;) {
        const ranking = await findRanking(database, { tenant, season, event })
        if (!ranking) throw new UsageError(`There is no event ${event} in ${season}.`)
        if (ranking.version !== last) print(rankingTable(ranking))
        last = ranking.version
        if (args.flags.once === true) return
        await sleep(1_000)
      }
    })
  },
}

function seasonOf({ flags }: Arguments): number {
  return whole(flags, 'season', systemClock.now().getUTCFullYear())
}

function inDatabase<T>(
  { flags, withDatabase }: CommandArguments,
  work: (database: Database, tenant: string, clock: Clock) => Promise<T>,
): Promise<T> {
  return withDatabase(async (database) => work(database, text(flags, 'tenant') ?? 'dev', await virtualClock(database)))
}

async function runImport(
  args: CommandArguments,
  database: Database,
  tenant: string,
  clock: Clock,
  source: Source,
): Promise<void> {
  const startedAt = performance.now()
  const imported = await importSeason(database, tenant, source, clock, ({ event, nth, rows, unscored }) => {
    if (args.flags.json === true) return
    remark(`${nth} ${event}: ${rows === 0 ? 'unchanged' : `${rows} rows`}`)
    if (unscored.length > 0)
      remark(`  no ranking: score details of qualification ${matchNumbers(unscored)} are missing`)
  })
  if (args.flags.json === true) return print(JSON.stringify(imported))
  const { season, events, changed, rows, unranked } = imported
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
  print(`The season ${season} has ${events} events, of which ${changed} changed: ${rows} rows in ${seconds} s.`)
  if (unranked.length > 0)
    print(`Without a ranking, for missing score details: ${unranked.map(({ event }) => event).join(', ')}.`)
}

/** Lists at most five numbers. */
function matchNumbers(numbers: readonly number[]): string {
  const shown = numbers.slice(0, 5).join(', ')
  return numbers.length > 5 ? `${shown} and ${numbers.length - 5} more` : shown
}
