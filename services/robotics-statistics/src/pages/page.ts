import { type Html, html, type Page, page as wholePage } from '@icosa/pages'
import { playedOf } from '../points/playoffs.ts'
import type { Alliance, Event, Match, MatchScore, Ranking, ScheduledMatch } from '../season/lists.ts'
import { bracketOf } from './layout.ts'
import { picture } from './picture.ts'

export interface EventPage {
  readonly season: number
  readonly event: Event
  readonly schedule: readonly ScheduledMatch[]
  readonly matches: readonly Match[]
  readonly scores: readonly MatchScore[]
  readonly alliances: readonly Alliance[]
  readonly rankings: readonly Ranking[]
}

/** HTML page of an event, without scripts or external resources. */
export function page(content: EventPage): Page {
  const { season, event, rankings } = content
  const name = event.name ?? event.code
  const place = [event.venue, event.city, event.stateprov, event.country].filter(Boolean).join(', ')
  const body = html`<header>
<h1>${name}</h1>
<p>${season} · ${event.code}${event.districtCode && ` · ${event.districtCode}`} · ${event.dateStart?.slice(0, 10)}</p>
<p>${place}</p>
</header>
<main>
${bracket(content)}
<section>
<h2 id="ranking">Ranking</h2>
${rankings.length === 0 ? html`<p>Nothing has been played yet.</p>` : ranking(rankings)}
</section>
<section>
<h2 id="schedule">Schedule and results</h2>
${content.schedule.length === 0 ? html`<p>There is no schedule yet.</p>` : schedule(content)}
</section>
</main>`
  return wholePage({ title: `${name}, ${season}`, style, content: body })
}

function bracket({ matches, alliances, scores }: EventPage): Html | false {
  const played = playedOf(matches, alliances, scores)
  if (played.length === 0) return false
  const results = new Map(
    matches
      .filter(({ tournamentLevel }) => tournamentLevel === 'Playoff')
      .map((match) => [match.matchNumber, [match.scoreRedFinal ?? 0, match.scoreBlueFinal ?? 0] as const]),
  )
  const scored = played.map((match) => ({ ...match, scores: results.get(match.number) ?? ([0, 0] as const) }))
  return html`<section>
<h2 id="bracket">Playoffs</h2>
<div class="wide" tabindex="0" role="region" aria-labelledby="bracket">${picture(bracketOf(scored), alliances)}</div>
</section>`
}

const head = (...names: readonly string[]) =>
  html`<thead><tr>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>`

function ranking(rows: readonly Ranking[]): Html {
  return html`<div class="wide" tabindex="0" role="region" aria-labelledby="ranking"><table>
${head('Rank', 'Team', 'Score', 'Wins', 'Losses', 'Ties', 'Played')}
<tbody>${rows.map(
    (row) => html`<tr><td>${row.rank}</td><th scope="row">${row.teamNumber}</th><td>${row.sortOrder1?.toFixed(2)}</td>
<td>${row.wins}</td><td>${row.losses}</td><td>${row.ties}</td><td>${row.matchesPlayed}</td></tr>
`,
  )}</tbody></table></div>`
}

function schedule({ schedule: rows, matches }: EventPage): Html {
  const keyOf = ({ tournamentLevel, matchNumber }: Match | ScheduledMatch) => `${tournamentLevel} ${matchNumber}`
  const results = new Map(matches.map((match) => [keyOf(match), match]))
  return html`<div class="wide" tabindex="0" role="region" aria-labelledby="schedule"><table>
${head('Match', 'Time', 'Red', 'Blue', 'Red score', 'Blue score')}
<tbody>${rows.map((row) => {
    const side = (color: string) =>
      row.teams
        .filter(({ station }) => station.startsWith(color))
        .map(({ teamNumber }) => teamNumber)
        .join(' ')
    const result = results.get(keyOf(row))
    const [red, blue] = [result?.scoreRedFinal, result?.scoreBlueFinal]
    const won = (own?: number | null, other?: number | null) => (Number(own) > Number(other) ? 'won' : 'lost')
    return html`<tr><th scope="row">${row.description ?? keyOf(row)}</th><td>${row.startTime?.slice(0, 16).replace('T', ' ')}</td>
<td class="of-red">${side('Red')}</td><td class="of-blue">${side('Blue')}</td>
<td class="${won(red, blue)}">${red}</td><td class="${won(blue, red)}">${blue}</td></tr>
`
  })}</tbody></table></div>`
}

/** Stylesheet of an event's page. */
const style = `
:root { --red: #fde8e8; --red-wins: #f7b5b5; --blue: #e3eefc; --blue-wins: #a9cdf7; }
@media (prefers-color-scheme: dark) { :root { --red: #3a1d20; --red-wins: #7a2c33; --blue: #14263f; --blue-wins: #1f4f8f; } }
body { margin: 0 auto; padding: 1.5rem; max-width: 78rem; }
h2 { margin: 2rem 0 .5rem; font-size: 1.2rem; }
header p { margin: .1rem 0; color: var(--muted); }
th, td { white-space: nowrap; }
.won { font-weight: 700; }
svg text { font: 13px system-ui, sans-serif; fill: var(--text); font-variant-numeric: tabular-nums; }
svg .round { font-weight: 600; }
svg .match { font-size: 11px; fill: var(--muted); }
svg .won { font-weight: 700; }
.red { fill: var(--red); } .red.wins { fill: var(--red-wins); }
.blue { fill: var(--blue); } .blue.wins { fill: var(--blue-wins); }
td.of-red { background: var(--red); } td.of-blue { background: var(--blue); }
td.of-red, td.of-blue { padding-left: .5rem; }
td.of-blue + td { padding-left: .9rem; }
`
