const nouns = words(`child friend house garden letter mother father school teacher doctor market mountain river station
  window kitchen table chair bread cheese apple orange season winter summer morning evening afternoon week month year
  world country city village street bridge paper pencil picture music concert theatre story question answer reason
  moment payment government business kindness silence distance experience nation mission vision decision ability
  thousand people family daughter brother sister neighbour animal horse rabbit kitten chicken sheep fish bird flower
  forest ocean island weather thunder light shadow colour number language sentence chapter lesson knowledge history
  science medicine machine engine ticket journey holiday present surprise trouble danger accident hospital office
  company customer manager worker farmer soldier captain president queen prince stranger visitor guest`)
const adjectives = words(`good great little young old new long short quick slow bright dark heavy light warm cold quiet
  loud happy sad careful careless hopeful useful beautiful wonderful terrible possible necessary important different
  strange simple difficult honest gentle friendly blind famous modern ancient second whole empty broken wooden golden
  early late distant common several certain natural`)
const verbs = words(`saw found watched visited remembered followed helped called asked answered received declared
  believed understood wanted needed carried opened closed painted described counted discovered enjoyed mentioned
  promised considered forgot crossed reached brought bought taught thought kept met left held`)
const adverbs = words(`today tomorrow tonight together again always already almost also perhaps immediately quickly
  quietly sometimes never often once twice here there everywhere afterwards altogether`)
const places = words(`in under behind beside between beyond across near above below before after through with without
  about against around beneath upon`)
const names = words(`Anna Tom Mary John Peter Sarah Stephen Catherine Richard Edward London Paris Berlin Germany
  Scotland America Africa Monday Wednesday Saturday January September Christmas Shakespeare Braille Newton Thompson`)
const acronyms = words('BBC USA NASA UNESCO RNIB HTML UK EU NHS DVD')
const short = words(`don't can't won't it's that's you're I'll we've they'd isn't wasn't haven't couldn't wouldn't
  should've o'clock children's people's`)
const hyphenated = words(`ice-cream mother-in-law well-known twenty-five old-fashioned part-time hard-working
  up-to-date good-natured half-past brother-in-law first-class`)

function words(list: string): string[] {
  return list.trim().split(/\s+/)
}

/** A linear congruential generator. Not the shared one: the floors of the round trip were measured on its sequence. */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Generates a sentence of each class from a small grammar. */
export function sentenceMaker(random: () => number): Record<string, () => string> {
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? ''
  const whole = (min: number, max: number) => min + Math.floor(random() * (max - min + 1))
  const thing = () =>
    `${pick(['the', 'a', 'this', 'that', 'every', 'their', 'your', 'his'])} ${pick(adjectives)} ${pick(nouns)}`
  const clause = () => `${thing()} ${pick(verbs)} ${thing()} ${pick([pick(adverbs), `${pick(places)} ${thing()}`])}`
  const start = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
  const sentence = (text: string, stop = '.') => `${start(text)}${stop}`

  return {
    'plain words': () => clause(),
    'a sentence': () => sentence(clause()),
    'names and acronyms': () =>
      sentence(`${pick(names)} and ${pick(names)} ${pick(verbs)} the ${pick(acronyms)} ${pick(nouns)}`),
    'all capitals': () => clause().toUpperCase(),
    'whole numbers': () =>
      sentence(`${pick(names)} ${pick(verbs)} ${whole(0, 99_999)} ${pick(nouns)}s in ${whole(1800, 2030)}`),
    'formatted numbers': () =>
      sentence(
        `they ${pick(verbs)} ${whole(1, 999)},${whole(100, 999)} ${pick(nouns)}s, ${whole(0, 99)}.${whole(0, 99)} each`,
      ),
    'times and ordinals': () =>
      sentence(`at ${whole(1, 12)}:${whole(10, 59)} on the ${whole(4, 20)}th ${thing()} ${pick(verbs)} it`),
    'commas, colons and semicolons': () => sentence(`${clause()}, ${clause()}; ${thing()}: ${pick(nouns)}`),
    'questions and exclamations': () => `${sentence(`where is ${thing()}`, '?')} ${sentence(clause(), '!')}`,
    apostrophes: () => sentence(`${pick(short)} ${pick(adjectives)} and ${pick(short)} ${pick(nouns)}`),
    'straight quotes': () => `"${sentence(clause(), ',')}" said ${pick(names)}. "${sentence(clause())}"`,
    'curly quotes': () => `“${sentence(clause(), ',')}” said ${pick(names)}.`,
    hyphens: () =>
      sentence(`the ${pick(hyphenated)} ${pick(nouns)} ${pick(verbs)} ${pick(hyphenated)} ${pick(nouns)}s`),
    'dashes and ellipses': () => sentence(`${thing()} — ${thing()} — ${pick(verbs)}...`, ''),
    brackets: () => sentence(`${clause()} (${thing()}) and [${pick(nouns)}]`),
    'money and percent': () =>
      sentence(`${thing()} costs $${whole(1, 500)}.${whole(10, 99)}, £${whole(1, 99)} or ${whole(1, 99)}%`),
    'letters with numbers': () =>
      sentence(`room ${whole(1, 99)}${pick(['a', 'b', 'j', 'k', 'z'])} and the A${whole(1, 40)} road`),
    addresses: () => sentence(`write to ${pick(names).toLowerCase()}@${pick(nouns)}.org or www.${pick(nouns)}.com`),
  }
}
