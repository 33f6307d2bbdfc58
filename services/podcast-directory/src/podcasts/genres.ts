export interface Genre {
  readonly id: number
  readonly name: string
  /** Null for the root. */
  readonly parentId: number | null
}

/** The genre of all podcasts. */
export const everything: Genre = { id: 67, name: 'Podcasts', parentId: null }

/** The API's own ids, of which only three are public for subgenres. */
const top: Readonly<Record<string, number>> = {
  Arts: 100,
  Business: 93,
  Comedy: 133,
  Education: 111,
  Fiction: 168,
  Government: 117,
  'Health & Fitness': 88,
  History: 125,
  'Kids & Family': 132,
  Leisure: 82,
  'Locally Focused': 151,
  Music: 134,
  News: 99,
  'Personal Finance': 144,
  'Religion & Spirituality': 69,
  Science: 107,
  'Society & Culture': 122,
  Sports: 77,
  Technology: 127,
  'True Crime': 135,
  'TV & Film': 68,
}

/** By top genre. Ids from 1001 on are ours and follow the order, so append only. */
const below: readonly (readonly [name: string, parent: string, id?: number])[] = [
  ['Business News', 'Business', 95],
  ['Web Design', 'Technology', 140],
  ['Star Wars', 'TV & Film', 160],
  ['Books', 'Arts'],
  ['Design', 'Arts'],
  ['Fashion & Beauty', 'Arts'],
  ['Food', 'Arts'],
  ['Performing Arts', 'Arts'],
  ['Visual Arts', 'Arts'],
  ['Careers', 'Business'],
  ['Entrepreneurship', 'Business'],
  ['Investing', 'Business'],
  ['Management', 'Business'],
  ['Marketing', 'Business'],
  ['Non-Profit', 'Business'],
  ['Comedy Interviews', 'Comedy'],
  ['Improv', 'Comedy'],
  ['Stand-Up', 'Comedy'],
  ['Courses', 'Education'],
  ['How To', 'Education'],
  ['Language Learning', 'Education'],
  ['Self-Improvement', 'Education'],
  ['Comedy Fiction', 'Fiction'],
  ['Drama', 'Fiction'],
  ['Science Fiction', 'Fiction'],
  ['Alternative Health', 'Health & Fitness'],
  ['Fitness', 'Health & Fitness'],
  ['Medicine', 'Health & Fitness'],
  ['Mental Health', 'Health & Fitness'],
  ['Nutrition', 'Health & Fitness'],
  ['Sexuality', 'Health & Fitness'],
  ['Education for Kids', 'Kids & Family'],
  ['Parenting', 'Kids & Family'],
  ['Pets & Animals', 'Kids & Family'],
  ['Stories for Kids', 'Kids & Family'],
  ['Animation & Manga', 'Leisure'],
  ['Automotive', 'Leisure'],
  ['Aviation', 'Leisure'],
  ['Crafts', 'Leisure'],
  ['Games', 'Leisure'],
  ['Hobbies', 'Leisure'],
  ['Home & Garden', 'Leisure'],
  ['Video Games', 'Leisure'],
  ['Music Commentary', 'Music'],
  ['Music History', 'Music'],
  ['Music Interviews', 'Music'],
  ['Daily News', 'News'],
  ['Entertainment News', 'News'],
  ['News Commentary', 'News'],
  ['Politics', 'News'],
  ['Sports News', 'News'],
  ['Tech News', 'News'],
  ['Buddhism', 'Religion & Spirituality'],
  ['Christianity', 'Religion & Spirituality'],
  ['Hinduism', 'Religion & Spirituality'],
  ['Islam', 'Religion & Spirituality'],
  ['Judaism', 'Religion & Spirituality'],
  ['Religion', 'Religion & Spirituality'],
  ['Spirituality', 'Religion & Spirituality'],
  ['Astronomy', 'Science'],
  ['Chemistry', 'Science'],
  ['Earth Sciences', 'Science'],
  ['Life Sciences', 'Science'],
  ['Mathematics', 'Science'],
  ['Natural Sciences', 'Science'],
  ['Nature', 'Science'],
  ['Physics', 'Science'],
  ['Social Sciences', 'Science'],
  ['Documentary', 'Society & Culture'],
  ['Personal Journals', 'Society & Culture'],
  ['Philosophy', 'Society & Culture'],
  ['Places & Travel', 'Society & Culture'],
  ['Relationships', 'Society & Culture'],
  ['Baseball', 'Sports'],
  ['Basketball', 'Sports'],
  ['Cricket', 'Sports'],
  ['Fantasy Sports', 'Sports'],
  ['Football', 'Sports'],
  ['Golf', 'Sports'],
  ['Hockey', 'Sports'],
  ['Rugby', 'Sports'],
  ['Running', 'Sports'],
  ['Soccer', 'Sports'],
  ['Swimming', 'Sports'],
  ['Tennis', 'Sports'],
  ['Volleyball', 'Sports'],
  ['Wilderness', 'Sports'],
  ['Wrestling', 'Sports'],
  ['After Shows', 'TV & Film'],
  ['Film History', 'TV & Film'],
  ['Film Interviews', 'TV & Film'],
  ['Film Reviews', 'TV & Film'],
  ['TV Reviews', 'TV & Film'],
]

/** Category names of feeds before 2019, and other synonyms. */
const formerly: Readonly<Record<string, string>> = {
  'Educational Technology': 'Education',
  'Fitness & Nutrition': 'Fitness',
  'Games & Hobbies': 'Leisure',
  Gadgets: 'Technology',
  'Government & Organizations': 'Government',
  Health: 'Health & Fitness',
  'Higher Education': 'Education',
  'K-12': 'Education',
  'Language Courses': 'Language Learning',
  Literature: 'Books',
  Local: 'Locally Focused',
  'Management & Marketing': 'Management',
  'News & Politics': 'News',
  'Other Games': 'Games',
  Podcasting: 'Technology',
  'Science & Medicine': 'Science',
  'Self-Help': 'Self-Improvement',
  'Software How-To': 'Technology',
  'Sports & Recreation': 'Sports',
  Training: 'Courses',
}

const firstOwnId = 1001

/** Top genres first, each group sorted by name. */
export const genres: readonly Genre[] = [
  ...Object.entries(top).map(([name, id]) => ({ id, name, parentId: everything.id })),
  ...below.map(([name, parent, id], place) => ({
    id: id ?? firstOwnId + place,
    name,
    parentId: top[parent] ?? everything.id,
  })),
]

const keyOf = (name: string) => name.toLowerCase().replaceAll('&amp;', '&').replace(/\s+/g, ' ').trim()
const byName = new Map(genres.map((genre) => [keyOf(genre.name), genre]))
const byFormerName = new Map(Object.entries(formerly).map(([name, now]) => [keyOf(name), byName.get(keyOf(now))]))
export const genresById: ReadonlyMap<number, Genre> = new Map([everything, ...genres].map((genre) => [genre.id, genre]))

/** Ids of a feed's categories and their parents, in feed order, without unknown ones. */
export function genreIdsOf(categories: readonly string[]): number[] {
  const feedGenres = categories.flatMap((name) => byName.get(keyOf(name)) ?? byFormerName.get(keyOf(name)) ?? [])
  const withParents = feedGenres.flatMap(({ id, parentId }) =>
    parentId === everything.id ? [id] : [id, parentId ?? id],
  )
  return [...new Set([...withParents, ...(feedGenres.length > 0 ? [everything.id] : [])])]
}
