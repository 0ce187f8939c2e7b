/** Where a part of the page broke: a sentence instead of a blank page. */
import { Component, type ReactNode } from "react";
import { Button } from "./button";
import { Empty } from "./empty";

export class Trouble extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    // A chunk that is gone: Octavo was updated meanwhile, or the connection is lost.
    const missing = /dynamically imported module|Importing a module/.test(error.message);
    return (
      <main id="content" className="place">
        <Empty
          title={missing ? "This part of Octavo could not be loaded" : "Something broke on this page"}
          action={<Button look="primary" onPress={() => location.reload()}>Reload</Button>}
        >
          {missing ? "The connection is lost, or Octavo has been updated. Reload the page once you are connected: what you typed is kept in this browser." : `It said: ${error.message}`}
        </Empty>
      </main>
    );
  }
}
