export const cultures = [
  ['en-us', 'English'],
  ['ar-ar', 'Arabic'],
  ['zh-cn', 'Chinese'],
  ['nl-nl', 'Dutch'],
  ['fr-fr', 'French (France)'],
  ['fr-ca', 'French (Canada)'],
  ['de-de', 'German'],
  ['gu-in', 'Gujarati'],
  ['hi-in', 'Hindi'],
  ['it-it', 'Italian'],
  ['ja-jp', 'Japanese'],
  ['ko-kr', 'Korean'],
  ['mr-in', 'Marathi'],
  ['pl-pl', 'Polish'],
  ['pt-br', 'Portuguese (Brazil)'],
  ['es-es', 'Spanish (Spain)'],
  ['es-mx', 'Spanish (Mexico)'],
  ['sv-se', 'Swedish'],
  ['ta-in', 'Tamil'],
  ['te-in', 'Telugu'],
  ['tr-tr', 'Turkish'],
] as const

/** Informational only. */
export const domains = [
  'Booking & Reference',
  'Communication',
  'Education',
  'Entertainment',
  'Finance',
  'Gaming',
  'Health & Fitness',
  'Home Automation',
  'Media & Video',
  'Music & Audio',
  'News & Magazines',
  'Personalization',
  'Productivity',
  'Scheduler',
  'Shopping',
  'Social Network',
  'Sports',
  'Tools',
  'Translation',
  'Travel & Local',
  'Weather',
  'Others',
] as const

export const usageScenarios = ['IoT', 'Bot', 'Mobile Application', 'Other'] as const

export const isCulture = (code: string) => cultures.some(([culture]) => culture === code.toLowerCase())
