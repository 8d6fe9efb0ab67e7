import { useRef } from 'preact/hooks';
import { EXAMPLES } from './examples';
import { Icon } from './field';
import { ThemeButton } from './theme';

interface Props {
  load: (example: number) => void;
}

export function Top({ load }: Props) {
  const select = useRef<HTMLSelectElement>(null);
  return (
    <header class="top">
      <div>
        <h1>
          <Icon name="till" /> Sales order intake
        </h1>
        <p>See an order before it is sent</p>
      </div>
      <div class="examples">
        <label for="example">Example</label>
        <select id="example" ref={select}>
          {EXAMPLES.map(({ name }, index) => (
            <option value={index}>{name}</option>
          ))}
        </select>
        <button type="button" onClick={() => load(Number(select.current?.value))}>
          Load
        </button>
      </div>
      <ThemeButton />
    </header>
  );
}
