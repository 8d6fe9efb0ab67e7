import { Component, type ComponentChild } from 'preact';
import { isEqual } from './equal';

/** Returns a component that renders again only if its props have other values: an order may have hundreds of lines. */
export function memo<Props extends object>(render: (props: Props) => ComponentChild) {
  return class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      return !isEqual(next, this.props);
    }

    override render() {
      return render(this.props);
    }
  };
}
