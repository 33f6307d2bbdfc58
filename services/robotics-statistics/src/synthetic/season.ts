import type { Given, GivenEvent, GivenLists, Source } from '../import/given.ts'
import type { Event, Team } from '../season/lists.ts'
import { avatarOf } from './avatar.ts'
import { awardNames, type EventPlan, playEvent } from './event.ts'
import { randomOf } from './random.ts'

export interface SeasonPlan {
  readonly season: number
  readonly events: number
  readonly teams: number
  readonly seed?: number
  /** Number of qualification matches played at every event; all by default. */
  readonly played?: number
  /** Number of qualification matches of every team. */
  readonly rounds?: number
}

const places = ['Harbor', 'Lakeside', 'Hill Country', 'River Bend', 'North Shore', 'Prairie', 'Canyon', 'Bayside']
const districts = ['NORTH', 'SOUTH', 'EAST', 'WEST', 'COAST', 'PLAINS']

/** A generated season, marked as synthetic wherever it has a name. */
export function syntheticSeason(plan: SeasonPlan): Source {
  const plans = plansOf(plan)
  const events = plans.map(({ event }) => event)
  return {
    season: plan.season,
    async whole(): Promise<GivenLists> {
      const teams = teamsOf(plan)
      const lists: Given = {
        summary: [
          {
            eventCount: events.length,
            gameName: 'SYNTHETIC HARBOR (generated: nobody played it)',
            kickoff: `${plan.season}-01-08T12:00:00`,
            rookieStart: plan.teams - Math.floor(plan.teams / 20),
            teamCount: plan.teams,
            frcChampionships: [],
          },
        ],
        districts: districts.map((code) => ({ code, name: `Synthetic ${code} District` })),
        teams,
        avatars: teams.map(({ teamNumber }) => ({ teamNumber, encodedAvatar: avatarOf(teamNumber) })),
        awardListings: awardNames.map(([awardId, description]) => ({
          awardId,
          eventType: 'DistrictEvent',
          description,
          forPerson: false,
        })),
        events,
      }
      return { lists }
    },
    async *events(): AsyncIterable<GivenEvent> {
      for (const eventPlan of plans) yield playEvent(eventPlan)
    },
  }
}

/** Assigns six tenths of the teams to districts, each large enough for an event. */
function districtOf(team: number, teams: number): string | undefined {
  const parts = Math.max(1, Math.min(10, Math.floor(teams / 40)))
  const part = team % parts
  return part < Math.floor(parts * 0.6) ? districts[part] : undefined
}

function teamsOf({ season, teams, seed = 1 }: SeasonPlan): Team[] {
  const random = randomOf(season, seed, 7)
  return Array.from({ length: teams }, (_, index) => {
    const teamNumber = index + 1
    return {
      teamNumber,
      nameFull: `Synthetic Sponsor ${random.below(200)} & Synthetic School ${teamNumber}`,
      nameShort: `Synthetic Team ${teamNumber}`,
      schoolName: `Synthetic School ${teamNumber}`,
      city: random.of(places),
      stateProv: random.of(['Ohio', 'Texas', 'Ontario', 'Bavaria', 'Jalisco']),
      country: 'Nowhere',
      website: '',
      rookieYear: Math.max(1992, season - Math.floor(((teams - index) / teams) * 30)),
      robotName: '',
      districtCode: districtOf(teamNumber, teams) ?? null,
      homeCMP: null,
    }
  })
}

/** Assigns teams to events of their district, or to regionals; every event has 30 to 60 teams. */
export function plansOf({ season, events, teams, seed = 1, played, rounds = 10 }: SeasonPlan): EventPlan[] {
  const random = randomOf(season, seed, 13)
  const pools = new Map<string | undefined, number[]>()
  for (let team = 1; team <= teams; team++) {
    const pool = pools.get(districtOf(team, teams)) ?? []
    pool.push(team)
    pools.set(districtOf(team, teams), pool)
  }
  const own = districts.filter((code) => pools.has(code))
  return Array.from({ length: events }, (_, index) => {
    const district = index % 3 === 2 ? undefined : own[(index - Math.floor(index / 3)) % Math.max(1, own.length)]
    const isChampionship = district !== undefined && index >= events - own.length && events > 4 * own.length
    const pool = pools.get(district) ?? []
    const size = Math.min(pool.length, 30 + random.below(31))
    const place = places[index % places.length]
    const week = Math.min(7, 1 + Math.floor((index / events) * 7))
    const day = new Date(Date.UTC(season, 1, 22 + week * 7)).toISOString().slice(0, 10)
    const event: Event = {
      code: `SY${String(index + 1).padStart(3, '0')}`,
      divisionCode: null,
      name: `Synthetic ${place} ${isChampionship ? 'District Championship' : district ? 'District Event' : 'Regional'} ${index + 1}`,
      type: isChampionship ? 'DistrictChampionship' : district ? 'DistrictEvent' : 'Regional',
      districtCode: district ?? null,
      venue: `Synthetic ${place} Hall`,
      address: `${index + 1} Synthetic Road`,
      city: `${place}`,
      stateprov: 'NW',
      country: 'Nowhere',
      dateStart: `${day}T00:00:00`,
      dateEnd: `${day}T23:59:59`,
      timezone: 'Central European Standard Time',
      website: null,
      webcasts: [],
      announcements: [],
      weekNumber: week,
      allianceCount: 'EightAlliance',
    }
    const attending = random
      .shuffled(pool)
      .slice(0, size)
      .sort((a, b) => a - b)
    return {
      season,
      event,
      teams: attending,
      seed: seed * 1_000 + index,
      rounds,
      played: played ?? Number.MAX_SAFE_INTEGER,
    }
  })
}
