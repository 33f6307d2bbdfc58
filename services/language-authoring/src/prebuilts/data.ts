export const prebuiltEntities = [
  { name: 'age', description: 'The age of a person or thing.', examples: '10-month-old, 19 years old, 58 year-old' },
  {
    name: 'datetimeV2',
    description: 'Dates, times, ranges and repetitions.',
    examples: 'June 23 1976, 7 AM, next Monday, every day',
  },
  {
    name: 'dimension',
    description: 'Lengths, weights, areas, volumes, speeds and sizes of data.',
    examples: '2 miles, 650 square kilometers, 9,350 feet',
  },
  { name: 'email', description: 'Email addresses.', examples: 'user@example.com' },
  { name: 'money', description: 'Amounts of money.', examples: '1000.00 US dollars, 4 pounds' },
  { name: 'number', description: 'Numbers, in digits or words.', examples: 'ten, forty two, 3.141, 10K' },
  { name: 'ordinal', description: 'Places in an order.', examples: 'first, second, tenth' },
  {
    name: 'ordinalV2',
    description: 'Places in an order, also counted from the current one or the last.',
    examples: 'first, next, the last but one',
  },
  { name: 'percentage', description: 'Percentages.', examples: 'a hundred percent, 56%' },
  { name: 'phonenumber', description: 'Telephone numbers.', examples: '+1 360 555 0100' },
  { name: 'temperature', description: 'Temperatures.', examples: '30 degrees, 10 C' },
  { name: 'url', description: 'Addresses of pages.', examples: 'www.example.com' },
] as const

export const isPrebuilt = (name: string) => prebuiltEntities.some((entity) => entity.name === name)
