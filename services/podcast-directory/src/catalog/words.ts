import { type Random, randomOf, zipf } from './random.ts'

/** A language of the catalog: its function words, and syllables for all others. */
interface Tongue {
  readonly language: string
  readonly tag: string
  readonly region: string
  readonly share: number
  readonly common: string
  readonly syllables: string
}

const tongues: readonly Tongue[] = [
  {
    language: 'English',
    tag: 'en-us',
    region: 'us',
    share: 0.62,
    common:
      'the of and to in a is that for it as was with be by on not he this are or his from at which but have an had they you were their one all we can her has there been if more when will would who so what about up out into than them then some could time these two may only other how our its over like new now my after most made did many before must through',
    syllables: 'ber cal den fer gan hol lin mar nor pel ran sel ter ven wil ton ley son ing ord ard ess ist ure',
  },
  {
    language: 'Spanish',
    tag: 'es-mx',
    region: 'mx',
    share: 0.13,
    common:
      'de la que el en y a los se del las un por con no una su para es al lo como más pero sus le ya o este sí porque esta entre cuando muy sin sobre también me hasta hay donde quien desde todo nos durante todos uno les ni contra otros ese eso ante ellos',
    syllables: 'ca ro ta mi lo sa pe na do ra ti co mo vi lla que ri an es os ción dor ante ista',
  },
  {
    language: 'German',
    tag: 'de-de',
    region: 'de',
    share: 0.1,
    common:
      'der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr durch man dann soll',
    syllables: 'ver ge ber lich keit ung sch tal wer hau ben dor stein berg bach heim fel gru mit ster land hof wal',
  },
  {
    language: 'French',
    tag: 'fr-fr',
    region: 'fr',
    share: 0.09,
    common:
      'de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont avec ou son lui nous comme mais on si leur elle y aux cette ces ont tout fait être deux même aussi bien sans peut tous après ainsi très',
    syllables: 'bel cha dou fre gni jar lou man noir per qui ram ser tou ven eau eur ette age ment ille oire ain',
  },
  {
    language: 'Portuguese',
    tag: 'pt-br',
    region: 'br',
    share: 0.06,
    common:
      'de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi ao ele das tem à seu sua ou ser quando muito há nos já está eu também só pelo pela até isso ela entre era depois sem mesmo aos',
    syllables: 'ca mi ra lo pe são ção lha nha bel tor mar ri ve do gu an es pra tas zi mo ente ador',
  },
]

/** Topical words by genre. */
const subjects: Readonly<Record<number, string>> = {
  100: 'painting novel theatre gallery sculpture poetry museum design fashion recipe kitchen cooking author literature',
  93: 'market startup investor revenue strategy leadership customer marketing founder company career hiring finance',
  133: 'comedy joke improv standup laughter sketch humour satire punchline comedian roast audience',
  111: 'learning teacher classroom language course lesson student university grammar study exam knowledge',
  88: 'health fitness workout sleep nutrition doctor therapy meditation anxiety running muscle diet medicine',
  125: 'history empire war revolution ancient medieval archive king treaty century battle dynasty',
  132: 'family children parenting story bedtime baby mother father school toys animals',
  82: 'game hobby garden automotive aviation craft board player console engine racing puzzle',
  134: 'music album guitar band concert jazz orchestra melody singer drummer vinyl producer',
  99: 'news election government politics policy reporter economy parliament climate crisis headline',
  69: 'faith prayer church scripture spirit meditation buddhism islam christian sermon temple',
  107: 'science physics astronomy telescope galaxy biology chemistry experiment evolution quantum planet neuron',
  122: 'society culture documentary travel philosophy identity relationship community journey memory',
  77: 'football basketball baseball soccer tennis championship coach league season player goal stadium',
  127: 'technology software computer programming privacy security artificial intelligence robot database internet web',
  135: 'crime detective murder mystery trial evidence witness police investigation prison verdict',
  68: 'film cinema director actor screenplay series television review scene premiere episode wars star',
  168: 'fiction drama character voice adventure dragon spaceship legend story chapter villain hero',
}

export const catalogGenres: readonly number[] = Object.keys(subjects).map(Number)

const rareWords = 20_000

/** Words of a language, most frequent first. */
interface Vocabulary {
  readonly words: readonly string[]
  readonly rank: (random: Random) => number
}

const vocabularies = new Map<string, Vocabulary>()

function vocabularyOf({ tag, common, syllables }: Tongue): Vocabulary {
  const vocabulary = vocabularies.get(tag)
  if (vocabulary) return vocabulary
  const parts = syllables.split(' ')
  const random = randomOf(tag.charCodeAt(0), tag.charCodeAt(1))
  const words = new Set(common.split(' '))
  while (words.size < rareWords) {
    const length = 2 + random.below(3)
    words.add(Array.from({ length }, () => random.pick(parts)).join(''))
  }
  const created = { words: [...words], rank: zipf(words.size) }
  vocabularies.set(tag, created)
  return created
}

/** Generates texts in one language about one subject. */
export interface Speaker {
  readonly language: string
  readonly tag: string
  readonly region: string
  words(random: Random, count: number): string
  title(random: Random, count: number): string
}

/** Fraction of subject words. */
const subjectFraction = 0.12

export function speakerOf(random: Random, genreId: number): Speaker {
  const tongue = tongueOf(random)
  const { words, rank } = vocabularyOf(tongue)
  const subject = (subjects[genreId] ?? '').split(' ')
  const rankOfSubject = zipf(subject.length)
  const word = (source: Random) =>
    source.chance(subjectFraction) ? (subject[rankOfSubject(source)] as string) : (words[rank(source)] as string)
  const titleWord = (source: Random) =>
    source.chance(0.5)
      ? (subject[rankOfSubject(source)] as string)
      : (words[60 + source.below(words.length - 60)] as string)
  const { language, tag, region } = tongue
  return {
    language,
    tag,
    region,
    words: (source, count) => Array.from({ length: count }, () => word(source)).join(' '),
    title: (source, count) => capitalized(Array.from({ length: count }, () => titleWord(source)).join(' ')),
  }
}

function tongueOf(random: Random): Tongue {
  let remaining = random.next()
  for (const tongue of tongues) {
    remaining -= tongue.share
    if (remaining < 0) return tongue
  }
  return tongues[0] as Tongue
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
