/** The cover of an article without a picture of its own: the boat's river. */
export const Waves = () => (
  <svg className="w-blog__cover" viewBox="0 0 800 300" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
    <rect width="800" height="300" fill="var(--navy)" />
    <g fill="none" stroke="var(--navy-accent)" strokeWidth="2">
      {[0, 1, 2, 3, 4, 5].map((line) => (
        <path key={line} d={wave(140 + line * 28)} opacity={line === 0 ? 1 : 0.6 - line * 0.09} />
      ))}
    </g>
    <g transform="translate(363 68) scale(2)" fill="var(--on-navy)">
      <path d="M26 6.5c.3 4.8.6 9.6.9 14.4l-14 .1C18.600 18.300 23.500 13.200 26 6.500ZM7.500 24.500h25c-.5 4.900-3.600 8.200-7.400 9.500H14.900c-3.800-1.300-6.900-4.600-7.400-9.500Z" />
    </g>
  </svg>
);

const wave = (y: number): string => `M-40 ${y}q25-14 50 0t50 0${" 50 0".repeat(15)}`;
