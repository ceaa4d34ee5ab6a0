# `make dist` puts version and sum in, as build/wisp.rb. Untried: nothing here runs Homebrew; its syntax is checked.
class Wisp < Formula
  desc "Controller that runs coding agents until the work is provably done"
  homepage "https://wisp.example/"
  url "https://wisp.example/wisp-@VERSION@.tar.gz"
  sha256 "@SHA256@"
  license "MIT"

  depends_on "pkgconf" => :build
  depends_on "bash"
  depends_on "cjson"
  depends_on "git"
  depends_on "jq"
  depends_on "libmd"
  depends_on "tmux"

  uses_from_macos "expat"
  uses_from_macos "ncurses"

  def install
    system "make", "install", "PREFIX=#{prefix}", "MANDIR=#{man}", "BASHCOMPDIR=#{bash_completion}",
           "ZSHCOMPDIR=#{zsh_completion}", "FISHCOMPDIR=#{fish_completion}"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/wisp --version")
    assert_match "completed", shell_output("#{bin}/wisp demo")
  end
end
